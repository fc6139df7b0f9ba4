import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, hasFfmpeg, probe } from '../../src/downloader/joining/testing/clips.ts';
import { sample } from '../support/audit/scope.ts';
import { originalEncoding } from '../support/clips.ts';
import type { Journey } from '../support/journey.ts';
import { probeVideo } from '../support/probe.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

const hd = 'adapt_lowest_1080_1';
const usualSound = 'sound-a1b2c3d4e5f6';
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function joined(name: string, option = 'mp4-hd'): Promise<Buffer> {
  const response = await journey.get(await journey.href(name, option));
  expect(response.status).toBe(200);
  const bytes = await bytesOf(response);
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
  return bytes;
}

const pairs: readonly (readonly [string, string])[] = [
  ['dash-hd', hd],
  ['dash-hd-fragmented', hd],
  ['dash-hd-fragmented-picture', hd],
  ['dash-hd-edited', hd],
  ['dash-hd-moov-last', hd],
  ['dash-hd-h264', 'original_1080_0'],
  ['dash-hd-sound-shorter', hd],
  ['dash-sound-closes-once', hd],
];
/**
 * The tests of joining cover everything that depends only on the clips; these are composed in other ways, or break off.
 */
const usual = ['dash-hd'];

describe.runIf(hasFfmpeg)('a picture and its sound as one file', () => {
  test.each(sample(pairs, ([name]) => usual.includes(name)))(
    '%s has every picture and every sound of both files, each at its time',
    async (name, gear) => {
      const file = await joined(name);
      expect(probeVideo(file).tags.artist).toBe('The Ferry Captain');
      expect(complaints(file)).toBe('');
      const [picture, sound, ...more] = probe(file);
      expect(more).toEqual([]);
      expect(picture?.packets).toEqual(probe(originalEncoding(name, gear))[0]?.packets);
      expect(sound?.packets).toEqual(probe(originalEncoding(name, usualSound))[0]?.packets);
      const difference = (picture?.durationS ?? 0) - (sound?.durationS ?? 0);
      expect(Math.abs(difference - (name === 'dash-hd-sound-shorter' ? 2 : 0))).toBeLessThan(0.05);
    },
  );

  test('joins the default when no file is whole', async () => {
    const file = await joined('dash-only', 'mp4');
    expect(complaints(file)).toBe('');
    expect(probeVideo(file).tags).toMatchObject({
      title: expect.stringMatching(/\S/) as string,
      artist: 'The Ferry Captain',
      comment: expect.stringContaining('/video/') as string,
    });
    expect(probe(file).map(({ kind }) => kind)).toEqual(['video', 'audio']);
  });
});

describe.each(['dash-hd', 'dash-hd-fragmented'])('parts of %s', (name) => {
  let href: string;
  let whole: Buffer;
  let etag: string;
  beforeAll(async () => {
    href = await journey.href(name, 'mp4-hd');
    const response = await journey.get(href);
    etag = response.headers.get('etag') ?? '';
    whole = await bytesOf(response);
  });
  const part = (range: string, more: Record<string, string> = {}) =>
    journey.get(href, { headers: { range, ...more } });

  test.each([
    ['bytes=0-', 0, 0],
    ['bytes=0-1', 0, 2],
    ['bytes=300000-399999', 300_000, 400_000],
    ['bytes=700000-', 700_000, 0],
    ['bytes=-5000', -5000, 0],
  ])('%s is that part of the whole', async (range, start, end) => {
    const response = await part(range);
    const expected = whole.subarray(start, end === 0 ? whole.length : end);
    expect(response.status).toBe(206);
    expect(response.headers.get('etag')).toBe(etag);
    const first = start < 0 ? whole.length + start : start;
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + expected.length - 1}/${whole.length}`,
    );
    expect((await bytesOf(response)).equals(expected)).toBe(true);
  });

  test('is refused behind the end', async () => {
    const response = await part(`bytes=${whole.length}-`);
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`);
  });

  test('does not mix in a part of another file', async () => {
    expect((await part('bytes=0-9', { 'if-range': etag })).status).toBe(206);
    const other = await part('bytes=0-9', { 'if-range': '"another"' });
    expect(other.status).toBe(200);
    expect((await bytesOf(other)).equals(whole)).toBe(true);
  });

  test('HEAD says the same, and requests only the heads of both files from the platform', async () => {
    const response = await journey.get(href, { method: 'HEAD' });
    expect(response.headers.get('content-length')).toBe(String(whole.length));
    expect(response.headers.get('etag')).toBe(etag);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
  });
});

test('a sound that never arrives whole breaks the connection instead of ending it cleanly', async () => {
  const response = await journey.get(await journey.href('dash-sound-never-ends', 'mp4-hd'));
  expect(response.status).toBe(200);
  await expect(bytesOf(response)).rejects.toThrow();
});
