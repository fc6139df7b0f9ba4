import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { MediaResponse, PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../posts/post.ts';
import { createPictures } from './pictures.ts';

const source: MediaSource = {
  urls: ['https://p16-common-sign.tiktokcdn-us.com/x'],
  headers: {},
  expiresAt: 0,
};

function networkWith(bytes: Buffer): PlatformNetwork & { asked: number } {
  const network = {
    asked: 0,
    fetchText: () => Promise.reject(new Error('not a text')),
    openMedia: (): Promise<MediaResponse> => {
      network.asked++;
      const body = Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]);
      return Promise.resolve({
        size: bytes.length,
        start: 0,
        length: bytes.length,
        contentType: 'image/jpeg',
        mirror: 0,
        body,
      });
    },
    close: () => Promise.resolve(),
  };
  return network;
}

const photo = (format: 'jpeg' | 'webp') =>
  sharp({ create: { width: 1080, height: 1440, channels: 3, background: '#2a7f62' } })
    .toFormat(format)
    .toBuffer();

test('a preview is a narrow WebP, made once for all who ask', async () => {
  const network = networkWith(await photo('jpeg'));
  const pictures = createPictures(network);
  const [first, second] = await Promise.all([
    pictures.preview('post/cover', source, 360),
    pictures.preview('post/cover', source, 360),
  ]);
  expect(await pictures.preview('post/cover', source, 360)).toBe(first);
  expect(second).toBe(first);
  expect(network.asked).toBe(1);
  expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'webp', width: 360, height: 480 });
});

test('whether there is a picture is told by its beginning', async () => {
  const { signal } = new AbortController();
  for (const format of ['jpeg', 'webp'] as const)
    await expect(
      createPictures(networkWith(await photo(format))).check(source, signal),
    ).resolves.toBeUndefined();
  const page = networkWith(Buffer.from(`<!doctype html><title>${'x'.repeat(200)}</title>`));
  await expect(createPictures(page).check(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
});

test('a JPEG is handed on untouched, anything else becomes one', async () => {
  const jpeg = await photo('jpeg');
  const signal = new AbortController().signal;
  expect((await createPictures(networkWith(jpeg)).jpeg(source, signal)).bytes.equals(jpeg)).toBe(true);
  const converted = await createPictures(networkWith(await photo('webp'))).jpeg(source, signal);
  expect(await sharp(converted.bytes).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1080,
    height: 1440,
  });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['HTML', Buffer.from('<!doctype html><title>Access Denied</title>')],
  ['a truncated picture', Buffer.from('ffd8ffe000104a464946', 'hex')],
])('%s instead of a picture is refused', async (_, bytes) => {
  await expect(createPictures(networkWith(bytes)).preview('x', source, 100)).rejects.toMatchObject({
    key: 'media_invalid',
  });
});
