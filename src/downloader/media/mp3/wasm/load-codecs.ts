import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Faad, type FaadModule } from './faad-wasm.ts';
import { Lame } from './lame-wasm.ts';

/** FAAD2 out of its package. */
export async function loadFaad(): Promise<Faad> {
  // Not among the package's exports, so named by its file; the version is pinned, and the encoders' tests cover it.
  const file = new URL('./src/aac.wasm.js', import.meta.resolve('@audio/decode-aac'));
  const { default: create } = (await import(file.href)) as { default: () => Promise<FaadModule> };
  return new Faad(await create());
}

/** LAME out of its package. */
export const loadLame = async (): Promise<Lame> =>
  Lame.load(await readFile(fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3'))));
