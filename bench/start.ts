/**
 * From the start of the process to the first answer it could give, and the weight of a tool page. The first start of a
 * site also makes its database and imports the starter articles, so it stands by itself and has no bound.
 */

import { readFileSync, rmSync, statSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { makeDataFolder, startProduct } from '../tests/support/product.ts';
import { memoryMb } from './support/process-cost.ts';
import { median, print } from './support/report.ts';

const dataFolder = makeDataFolder();
const timedStart = async () => {
  const before = performance.now();
  const product = await startProduct({ dataFolder });
  const took = performance.now() - before;
  await product.stop();
  return took;
};
print({ what: 'first start to ready', value: await timedStart(), unit: 'ms' });
const started: number[] = [];
for (let round = 0; round < 5; round++) started.push(await timedStart());
rmSync(dataFolder, { recursive: true, force: true });
print({ what: 'start to ready', value: median(started), unit: 'ms', atMost: 1500 });

const product = await startProduct();
const html = await (await fetch(`${product.origin}/tiktok-downloader`)).text();
const files = [...new Set(html.match(/\/_app\/[\w.-]+\.(?:js|css)/g) ?? [])];
const sizeOf = (file: string) => {
  const path = `build/client${file}`;
  return (
    statSync(`${path}.br`, { throwIfNoEntry: false })?.size ?? brotliCompressSync(readFileSync(path)).length
  );
};
const sum = (ending: string) =>
  files.filter((file) => file.endsWith(ending)).reduce((total, file) => total + sizeOf(file), 0) / 1000;
const page = brotliCompressSync(html).length / 1000;
print({ what: 'tool page: scripts', value: sum('.js'), unit: 'kB brotli', atMost: 125 });
print({
  what: 'tool page: HTML, styles and scripts',
  value: page + sum('.css') + sum('.js'),
  unit: 'kB brotli',
  atMost: 160,
});
print({ what: 'tool page: requests', value: files.length + 1, unit: 'requests' });
print({ what: 'memory at rest', value: memoryMb(product.pid), unit: 'MB' });
await product.stop();
