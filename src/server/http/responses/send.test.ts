import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedEncoding, compress } from './send.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0,gzip;q=0', null],
  ['identity', null],
  ['brx', null],
  [undefined, null],
])('%s -> %s', (header, expected) => {
  expect(acceptedEncoding(header)).toBe(expected);
});

test('decompresses what was compressed; a small response stays unchanged', () => {
  const page = Buffer.from('<p>a page</p>'.repeat(200));
  const brotli = compress(page, 'br');
  const zipped = compress(page, 'gzip');
  expect(brotliDecompressSync(brotli.bytes).equals(page)).toBe(true);
  expect(gunzipSync(zipped.bytes).equals(page)).toBe(true);
  expect(compress(Buffer.from('ok'), 'br')).toEqual({ bytes: Buffer.from('ok'), encoding: null });
});
