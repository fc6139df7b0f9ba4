import { afterAll, beforeAll, expect, test } from 'vitest';
import { id3v2Length } from '../../src/downloader/media/sniff-sound.ts';
import type { ResolveResult } from '../../src/site/api.ts';
import { originalEncoding } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { readMp3 } from '../support/mp3.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.stop());

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function resolved(name: string): Promise<ResolveResult> {
  const { answer } = await journey.resolve(name);
  if (!('result' in answer)) throw new Error(`${name} was refused: ${JSON.stringify(answer)}`);
  return answer.result;
}

/** The double's requests for a post, without its page. */
async function mediaRequests(name: string): Promise<{ readonly video: number; readonly sound: number }> {
  const { byPost } = await journey.platform.stats();
  return { video: 0, sound: 0, ...byPost[name]?.byKind };
}

const all = ['mp3', 'm4a'];
/** Short sides of the default and of HD, the formats of the sound, and why there are none. */
const offered: Record<string, readonly [readonly number[], readonly string[], string?]> = {
  'dash-hd': [[720, 1080], all],
  'dash-hd-fragmented': [[720, 1080], all],
  'dash-hd-fragmented-picture': [[720, 1080], all],
  'dash-hd-h264': [[720, 1080], all],
  'dash-hd-two-sounds': [[720, 1080], all],
  'dash-default': [[720], all],
  'dash-beside-whole-hd': [[720, 1080], all],
  'dash-above-whole-hd': [[576, 1080], all],
  'dash-only': [[720], all],
  'dash-snake-case': [[720, 1080], all],
  'dash-without-sound': [[720], all],
  'dash-silent': [[720], [], 'missing'],
  'dash-sound-lost': [[720], [], 'unsupported'],
  'unsaid-silent-default': [[576], all],
  'unsaid-silent-hd': [[720], all],
  'unsaid-joinable': [[720, 1080], all],
  'dash-sound-html': [[720], all],
  'dash-sound-empty': [[720], all],
  'dash-sound-playlist': [[720], all],
  'dash-sound-refused': [[720], all],
  'dash-sound-cut': [[720], all],
  'dash-only-sound-html': [[720], [], 'unsupported'],
};

test.each(Object.entries(offered))('%s offers videos of %j, and of its sound %j', async (name, expected) => {
  const [sides, formats, lack] = expected;
  const { options, no_sound: lacking } = await resolved(name);
  const videos = options.filter(({ format }) => format === 'mp4');
  expect(videos.map(({ id }) => id)).toEqual(['mp4', 'mp4-hd'].slice(0, sides.length));
  expect(videos.map(({ width, height }) => Math.min(width ?? 0, height ?? 0))).toEqual(sides);
  expect(options.map(({ id }) => id).filter((id) => !id.startsWith('mp4'))).toEqual(formats);
  expect(lacking).toBe(lack);
});

test.each([
  ['dash-hd', 'mp4', 'normal_720_0'],
  ['dash-default', 'mp4', 'normal_720_0'],
  ['dash-beside-whole-hd', 'mp4-hd', 'adapt_lowest_1080_1'],
  ['unsaid-silent-default', 'mp4', 'normal_540_0'],
  ['unsaid-silent-hd', 'mp4', 'normal_720_0'],
])('the %s of %s is the whole file', async (name, option, gear) => {
  const response = await journey.get(await journey.href(name, option));
  expect(response.status).toBe(200);
  expect(response.headers.get('accept-ranges')).toBe('bytes');
  expect((await bytesOf(response)).equals(originalEncoding(name, gear))).toBe(true);
});

test('of two pictures without sound the better one is HD, with the bytes of both files', async () => {
  const { options } = await resolved('dash-hd-score');
  const { length } = originalEncoding('dash-hd-score', 'adapt_lowest_1080_1');
  const sound = originalEncoding('dash-hd-score', 'sound-a1b2c3d4e5f6');
  expect(options.find(({ id }) => id === 'mp4-hd')?.bytes).toBe(length + sound.length);
});

test.each(['dash-hd-60s', 'dash-only', 'dash-hd-two-sounds'])(
  'the sound of %s comes from its own file, and the picture is not requested',
  async (name) => {
    const { post } = await resolved(name);
    // Only the sound's head, however often the post is requested: everything else is in the page.
    expect(await mediaRequests(name)).toMatchObject({ video: 0, sound: 1 });
    const mp3 = readMp3(await bytesOf(await journey.get(await journey.href(name, 'mp3'))));
    expect(Math.abs(mp3.durationS - post.duration_s)).toBeLessThan(0.15);
    const m4a = await bytesOf(await journey.get(await journey.href(name, 'm4a')));
    expect(m4a.toString('latin1', 4, 11)).toBe('ftypM4A');
    expect((await mediaRequests(name)).video).toBe(0);
  },
);

test('converts a fragmented sound from its own file, with the same frames as one with tables', async () => {
  const soundOf = async (name: string) => {
    const mp3 = await bytesOf(await journey.get(await journey.href(name, 'mp3')));
    return mp3.subarray(id3v2Length(mp3));
  };
  const fragmented = await soundOf('dash-hd-fragmented');
  expect(fragmented.length).toBeGreaterThan(50_000);
  expect(fragmented.equals(await soundOf('dash-hd'))).toBe(true);
  expect((await mediaRequests('dash-hd-fragmented')).video).toBe(0);
});

test.each(['dash-sound-html', 'dash-sound-refused', 'dash-sound-cut'])(
  'the sound of %s comes from the whole file',
  async (name) => {
    const response = await journey.get(await journey.href(name, 'mp3'));
    expect(response.status).toBe(200);
    const { post } = await resolved(name);
    expect(Math.abs(readMp3(await bytesOf(response)).durationS - post.duration_s)).toBeLessThan(0.15);
  },
);
