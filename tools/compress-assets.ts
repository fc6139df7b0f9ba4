/** Writes a brotli and a gzip copy beside each compressible file of the built site, so that serving costs no CPU. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

for (const file of globSync('build/client/**/*.{js,css,svg,json,webmanifest,txt,xml,wasm}')) {
  const bytes = readFileSync(file);
  // Below, the compressed copy and its header are hardly smaller.
  if (bytes.length < 128) continue;
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
