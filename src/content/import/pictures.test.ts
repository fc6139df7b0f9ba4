import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { lookAtPicture } from './pictures.ts';

const folder = mkdtempSync(join(tmpdir(), 'clipferry-pictures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2a7f62' } });

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a GIF', () => blank(16, 16).gif().toBuffer()],
  ['a TIFF', () => blank(16, 16).tiff().toBuffer()],
  ['a WebP of 17 megapixels', () => blank(4200, 4200).webp({ effort: 0 }).toBuffer()],
])('%s is not a picture for an article, whatever its name', async (_, make) => {
  writeFileSync(join(folder, 'picture.png'), await make());
  await expect(lookAtPicture(folder, 'picture.png')).rejects.toThrow('is no picture that can be read');
});

test('accepts a photo and reads its size', async () => {
  writeFileSync(join(folder, 'picture.png'), await blank(64, 48).jpeg().toBuffer());
  expect(await lookAtPicture(folder, 'picture.png')).toMatchObject({ width: 64, height: 48 });
});
