import { readFile } from 'node:fs/promises';
import { faadFile, lameFile } from './codec-files.ts';
import { Faad, type FaadModule } from './faad-wasm.ts';
import { Lame } from './lame-wasm.ts';

/** FAAD2 out of its package. */
export async function loadFaad(): Promise<Faad> {
  const { default: create } = (await import(faadFile.href)) as { default: () => Promise<FaadModule> };
  return new Faad(await create());
}

/** LAME out of its package. */
export const loadLame = async (): Promise<Lame> => Lame.load(await readFile(lameFile));
