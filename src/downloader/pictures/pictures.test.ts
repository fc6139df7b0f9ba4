import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { MediaFlow, MediaRequest, PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../post/post.ts';
import { PictureProcesses } from './picture-processes.ts';
import { createPictures } from './pictures.ts';

const processes = new PictureProcesses();
afterAll(() => processes.close());

const source: MediaSource = {
  urls: ['https://p16-common-sign.tiktokcdn-us.com/x'],
  headers: {},
  expiresAt: 0,
};

/** A response whose body gives these chunks, and then breaks off if it is said so. */
function media(chunks: Buffer[], length: number | null, isBroken = false): MediaFlow {
  const left = [...chunks];
  return {
    size: length,
    start: 0,
    length,
    contentType: 'image/jpeg',
    mirror: 0,
    next: async () => {
      if (isBroken && left.length === 0) throw new Error('the body broke off');
      return left.shift() ?? null;
    },
    stop: () => {},
  };
}

function networkWith(bytes: Buffer): PlatformNetwork & { asked: number } {
  const network = {
    asked: 0,
    fetchText: () => Promise.reject(new Error('not a text')),
    openMedia: (): Promise<MediaFlow> => {
      network.asked++;
      return Promise.resolve(media([bytes.subarray(0, 100), bytes.subarray(100)], bytes.length));
    },
    close: () => Promise.resolve(),
  };
  return network;
}

const photo = (format: 'jpeg' | 'webp') =>
  sharp({ create: { width: 1080, height: 1440, channels: 3, background: '#2a7f62' } })
    .toFormat(format)
    .toBuffer();

test('makes a preview as a narrow WebP, once for all callers', async () => {
  const network = networkWith(await photo('jpeg'));
  const pictures = createPictures(network, processes);
  const [first, second] = await Promise.all([
    pictures.preview('post/cover', source, 360),
    pictures.preview('post/cover', source, 360),
  ]);
  expect(await pictures.preview('post/cover', source, 360)).toBe(first);
  expect(second).toBe(first);
  expect(network.asked).toBe(1);
  expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'webp', width: 360, height: 480 });
});

test('the first bytes tell whether a file is a picture', async () => {
  const { signal } = new AbortController();
  for (const format of ['jpeg', 'webp'] as const)
    await expect(
      createPictures(networkWith(await photo(format)), processes).check(source, signal),
    ).resolves.toBe('image/jpeg');
  const page = networkWith(Buffer.from(`<!doctype html><title>${'x'.repeat(200)}</title>`));
  await expect(createPictures(page, processes).check(source, signal)).rejects.toMatchObject({
    key: 'media_invalid',
  });
});

test('passes on a JPEG untouched, and converts anything else to JPEG', async () => {
  const jpeg = await photo('jpeg');
  const signal = new AbortController().signal;
  expect((await createPictures(networkWith(jpeg), processes).jpeg(source, signal)).bytes.equals(jpeg)).toBe(
    true,
  );
  const converted = await createPictures(networkWith(await photo('webp')), processes).jpeg(source, signal);
  expect(await sharp(converted.bytes).metadata()).toMatchObject({
    format: 'jpeg',
    width: 1080,
    height: 1440,
  });
});

test('a caller who leaves during a conversion keeps no memory', async () => {
  const small = networkWith(await photo('webp'));
  // Each takes more than a third of the memory for pictures.
  const network = {
    openMedia: async (request: Parameters<typeof small.openMedia>[0]) => ({
      ...(await small.openMedia(request)),
      length: 24 * 2 ** 20,
    }),
  };
  const visitor = { leave: () => {} };
  const pictures = createPictures(network, {
    make: async () => {
      visitor.leave();
      return { bytes: Buffer.from('made'), width: 1, height: 1 };
    },
  });
  for (let n = 0; n < 3; n += 1) {
    const leaving = new AbortController();
    visitor.leave = () => leaving.abort(new Error('left'));
    await expect(pictures.jpeg(source, leaving.signal)).rejects.toThrow('left');
  }
  visitor.leave = () => {};
  await expect(pictures.jpeg(source, new AbortController().signal)).resolves.toBeDefined();
});

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2a7f62' } });

/** Each level doubles the one below: 2^30 rectangles in 2 kB. */
const nestedUse = () => {
  const levels = Array.from(
    { length: 30 },
    (_, n) => `<g id="l${n + 1}"><use href="#l${n}"/><use href="#l${n}"/></g>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><defs><rect id="l0" width="1" height="1"/>${levels.join('')}</defs><use href="#l30"/></svg>`,
  );
};

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['nothing', () => Buffer.alloc(0)],
  ['HTML', () => Buffer.from('<!doctype html><title>Access Denied</title>')],
  ['a truncated picture', () => Buffer.from('ffd8ffe000104a464946', 'hex')],
  ['an AVIF of 17 megapixels in a few bytes', () => blank(4200, 4100).avif({ effort: 0 }).toBuffer()],
  ['an SVG that draws without end', nestedUse],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a GIF of 17 megapixels', () => blank(4200, 4100).gif({ effort: 1 }).toBuffer()],
  ['a GIF without a picture', () => Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
  ['a TIFF', () => blank(16, 16).tiff().toBuffer()],
  ['a PNG of 64 megapixels', () => blank(8000, 8000).png().toBuffer()],
  ['an interlaced PNG of 17 megapixels', () => blank(4200, 4100).png({ progressive: true }).toBuffer()],
  ['a progressive JPEG of 17 megapixels', () => blank(4200, 4100).jpeg({ progressive: true }).toBuffer()],
  ['a WebP of 17 megapixels', () => blank(4200, 4100).webp({ effort: 0 }).toBuffer()],
  [
    'a JPEG of 17 megapixels that is to be turned',
    () => blank(4200, 4100).jpeg().withMetadata({ orientation: 6 }).toBuffer(),
  ],
  [
    'an SVG that begins like a PNG',
    () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), nestedUse()]),
  ],
])('refuses %s instead of a picture', async (_, make) => {
  const bytes = await make();
  await expect(createPictures(networkWith(bytes), processes).preview('x', source, 100)).rejects.toMatchObject(
    {
      key: 'media_invalid',
    },
  );
});

/** Two pictures of a GIF: the first red, the second blue. */
const animated = async () => {
  const colours = ['#f00', '#00f'].map((background) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(colours), { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
};

test.each<[string, () => Promise<Buffer>, number, number]>([
  ['an AVIF', () => blank(40, 30).avif({ effort: 0 }).toBuffer(), 40, 30],
  ['a GIF', () => blank(40, 30).gif().toBuffer(), 40, 30],
  ['an animated GIF', animated, 40, 30],
  ['a WebP of 16 megapixels', () => blank(4096, 4096).webp({ effort: 0 }).toBuffer(), 4096, 4096],
])('makes a JPEG of %s, for a slide and for a video of slides', async (name, make, width, height) => {
  const pictures = createPictures(networkWith(await make()), processes);
  expect(await pictures.check(source, signal)).toBe('image/jpeg');
  const { bytes, type } = await pictures.picture(source, signal);
  expect(type).toBe('image/jpeg');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
  const slide = await pictures.slide(source, { width: 1080, height: 1920 }, signal);
  expect((await sharp(slide.bytes).metadata()).format).toBe('jpeg');
  if (name !== 'an animated GIF') return;
  const { dominant } = await sharp(bytes).stats();
  expect([dominant.r > 200, dominant.b < 60]).toEqual([true, true]);
});

/** Media whose requests get the given responses in order: bytes, or the bytes before a break. */
function networkOf(...answers: (Buffer | { readonly brokenAfter: Buffer } | Failure)[]) {
  const requested: (readonly string[])[] = [];
  return {
    asked: requested,
    openMedia: async ({ source: { urls } }: MediaRequest): Promise<MediaFlow> => {
      requested.push(urls);
      const answer = answers[requested.length - 1] ?? new Failure('media_unavailable');
      if (answer instanceof Failure) throw answer;
      return Buffer.isBuffer(answer) ? media([answer], null) : media([answer.brokenAfter], null, true);
    },
  };
}

const { signal } = new AbortController();
const mirrored = { ...source, urls: ['https://p16.tiktokcdn.com/x', 'https://p19.tiktokcdn.com/x'] };

test('requests a broken-off picture again, even when it has only one address', async () => {
  const jpeg = await photo('jpeg');
  const network = networkOf({ brokenAfter: jpeg.subarray(0, 500) }, jpeg);
  const file = await createPictures(network, processes).picture(source, signal);
  expect(file.bytes.equals(jpeg)).toBe(true);
  expect(network.asked).toEqual([source.urls, source.urls]);
});

test('tries the next address when one has no picture', async () => {
  const jpeg = await photo('jpeg');
  const network = networkOf(Buffer.from('<!doctype html>'), jpeg);
  expect((await createPictures(network, processes).picture(mirrored, signal)).bytes.equals(jpeg)).toBe(true);
  expect(network.asked).toEqual([mirrored.urls, mirrored.urls.slice(1)]);
});

test.each<[string, Parameters<typeof networkOf>, number, string]>([
  ['refused everywhere', [new Failure('media_unavailable')], 1, 'media_unavailable'],
  ['HTML everywhere', [Buffer.from('<html>'), Buffer.from('<html>')], 2, 'media_invalid'],
  [
    'always broken',
    Array.from({ length: 9 }, () => ({ brokenAfter: Buffer.alloc(9) })),
    3,
    'media_unavailable',
  ],
])('gives up on a picture that is %s', async (_, answers, requested, key) => {
  const network = networkOf(...answers);
  await expect(createPictures(network, processes).picture(mirrored, signal)).rejects.toMatchObject({ key });
  expect(network.asked).toHaveLength(requested);
});

const ftyp = (brands: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 8 + brands.length]), Buffer.from(`ftyp${brands}`), Buffer.alloc(300)]);

test.each([
  ['heic\0\0\0\0mif1heic', 'image/heic'],
  ['mif1\0\0\0\0heicmiaf', 'image/heic'],
  ['mif1\0\0\0\0avifmiaf', 'image/avif'],
  ['avif\0\0\0\0mif1', 'image/avif'],
])('passes on a picture that it cannot read unchanged, with its own type: %j', async (brands, type) => {
  const bytes = ftyp(brands);
  const pictures = createPictures(networkWith(bytes), processes);
  expect(await pictures.check(source, signal)).toBe(type);
  const file = await pictures.picture(source, signal);
  expect([file.type, file.bytes.equals(bytes)]).toEqual([type, true]);
  await expect(pictures.jpeg(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
  await expect(pictures.motion(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
});

test('accepts only an mp4 as a slide’s video', async () => {
  const mp4 = ftyp('isom\0\0\x02\0isomiso2');
  const pictures = createPictures(networkWith(mp4), processes);
  expect((await pictures.motion(source, signal)).bytes.equals(mp4)).toBe(true);
  await expect(pictures.picture(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
  const others = createPictures(networkWith(await photo('jpeg')), processes);
  await expect(others.checkMotion(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
});

test('scales down a large photo that is decoded row by row', async () => {
  const bytes = await blank(6000, 4000).jpeg().toBuffer();
  const file = await createPictures(networkWith(bytes), processes).preview('x', source, 320);
  expect(await sharp(file.bytes).metadata()).toMatchObject({ format: 'webp', width: 320 });
});

test('rotates a photo that was taken with an upright phone', async () => {
  const bytes = await blank(3000, 2000).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const file = await createPictures(networkWith(bytes), processes).preview('x', source, 320);
  expect(await sharp(file.bytes).metadata()).toMatchObject({ width: 320, height: 480 });
});

test('ends a decoder that never finishes, and gives the next picture another one', async () => {
  const stubborn = new PictureProcesses({
    processes: 1,
    limitMs: 300,
    program: new URL('./testing/stubborn-program.js', import.meta.url),
  });
  const tasks = [1, 2].map(() =>
    stubborn.make({ bytes: Buffer.alloc(10), as: 'webp', width: null, quality: 80 }),
  );
  for (const task of tasks) await expect(task).rejects.toMatchObject({ key: 'media_invalid' });
  await expect.poll(() => stubborn.alive).toBe(0);
});

test('runs no more processes than allowed, and ends them when nobody needs them', async () => {
  const few = new PictureProcesses({ processes: 2, idleMs: 50 });
  const bytes = await photo('webp');
  const task = () => few.make({ bytes, as: 'jpeg', width: 100, quality: 80 });
  const most: number[] = [];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      expect(await sharp((await task()).bytes).metadata()).toMatchObject({ width: 100 });
      most.push(few.alive);
    }),
  );
  expect(Math.max(...most)).toBe(2);
  await expect.poll(() => few.alive).toBe(0);
});
