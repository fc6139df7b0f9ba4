import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPictureSource } from './promoted-pictures.ts';

const folder = mkdtempSync(join(tmpdir(), 'clipferry-source-'));
let picture: Buffer;
let origin: string;
const server = createServer((request, response) => {
  if (request.url === '/boat.png') response.end(picture);
  else if (request.url === '/moved.png') response.writeHead(302, { location: '/boat.png' }).end();
  else if (request.url === '/endless.png') {
    const more = () => response.write(Buffer.alloc(2 ** 20)) && setImmediate(more);
    response.on('drain', more);
    more();
  } else response.writeHead(404).end();
});

beforeAll(async () => {
  const blank = { width: 30, height: 20, channels: 3 as const, background: '#14697d' };
  picture = await sharp({ create: blank }).png().toBuffer();
  writeFileSync(join(folder, 'boat.png'), picture);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

test('reads a picture beside the configuration, and from another server', async () => {
  const found = { width: 30, height: 20 };
  expect(await readPictureSource('boat.png', folder)).toMatchObject(found);
  expect(await readPictureSource(`${origin}/boat.png`, folder)).toMatchObject(found);
});

test.each([
  ['/gone.png', 'is missing: answered with 404'],
  ['/moved.png', 'is missing: '],
  ['/endless.png', 'is too big: more than 5 MB'],
])('%s reports what is wrong with it', async (path, message) => {
  await expect(readPictureSource(origin + path, folder)).rejects.toThrow(message);
});

test('a missing server, and a missing file', async () => {
  await expect(readPictureSource('http://127.0.0.1:1/boat.png', folder)).rejects.toThrow('is missing: ');
  await expect(readPictureSource('none.png', folder)).rejects.toThrow('is missing: ENOENT');
  await expect(readPictureSource('.', folder)).rejects.toThrow('is missing: EISDIR');
});
