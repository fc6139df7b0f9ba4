import { afterAll, beforeAll, expect, test } from 'vitest';
import { readParts } from '../../src/features/device-media/worker/video/slideshow/read-parts.ts';
import type { ErrorResponse } from '../../src/site/api.ts';
import { runCli } from '../support/cli.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { siteFile } from '../support/site-file.ts';
import { until } from '../support/until.ts';

const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { PATH: '/nowhere', SITE_CONFIG: siteFile({ statistics: true }) } });
});
afterAll(() => journey.stop());

const addressOf = async (post: string) => `${await journey.href(post, 'zip')}/slideshow`;
const request = async (address: string, headers: Record<string, string> = {}) =>
  journey.get(address, { headers: { 'user-agent': agent, ...headers } });

/** The parts of a post's video, and each picture's first bytes. */
async function partsOf(post: string) {
  const response = await request(await addressOf(post));
  if (response.body === null) throw new Error(`${response.status}`);
  const { head, sound, isSoundLost, pictures } = await readParts(response.body, () => {});
  const signs = pictures.map(async (one) => Buffer.from(await one.slice(0, 3).arrayBuffer()).toString('hex'));
  return { head, soundBytes: sound?.length ?? null, isSoundLost, signs: await Promise.all(signs) };
}

/** Why there is no video. */
async function refusalOf(address: string, headers: Record<string, string> = {}) {
  const response = await request(address, headers);
  const { error } = (await response.json()) as ErrorResponse;
  return [response.status, error.key];
}

const jpeg = 'ffd8ff';

test('returns the parts of a video in one response, named like the server’s, and counts one video', async () => {
  expect(await partsOf('photos-m4a')).toEqual({
    head: {
      name: expect.stringMatching(/^[\w.]+-\d{19}\.mp4$/),
      tags: expect.objectContaining({ title: 'Three pictures with music as m4a #ferry #double' }) as unknown,
      slides: 3,
      sound: { format: 'aac', isPlain: true },
    },
    soundBytes: expect.any(Number),
    isSoundLost: false,
    signs: [jpeg, jpeg, jpeg],
  });
  const { dataFolder } = journey.product;
  let downloads: unknown;
  await until('it is written', async () => {
    const { output } = await runCli(['statistics', '--json'], { DATA_DIR: dataFolder });
    ({ downloads } = JSON.parse(output) as { downloads: unknown[] });
    return (downloads as unknown[]).length > 0;
  });
  expect(downloads).toEqual([{ format: 'mp4-slideshow', outcome: 'complete', device: 'desktop', total: 1 }]);
});

test('leaves out unavailable pictures, and sends no sound for a post without one', async () => {
  const faulty = await partsOf('pictures-of-all-faults');
  expect(faulty.head).toMatchObject({ slides: 7, sound: { format: 'mp3', isPlain: false } });
  expect(faulty.signs).toEqual([jpeg, jpeg, jpeg, jpeg]);
  expect(await partsOf('photos-no-sound')).toMatchObject({
    head: { slides: 2, sound: null },
    soundBytes: null,
    isSoundLost: false,
    signs: [jpeg, jpeg],
  });
});

test('sends the pictures of a post whose sound is refused, and says that it is lost', async () => {
  expect(await partsOf('sound-refused')).toMatchObject({
    head: { slides: 2, sound: null },
    soundBytes: null,
    isSoundLost: true,
    signs: [jpeg, jpeg],
  });
});

test('tells a visitor who cannot have it why', async () => {
  const refused = await addressOf('pictures-refused');
  expect(await refusalOf(refused)).toEqual([502, 'media_unavailable']);
  expect(await refusalOf(`${refused}/ready`)).toEqual([502, 'media_unavailable']);
  const address = await addressOf('photos-m4a');
  expect(await refusalOf(`${address}/ready`)).toEqual([404, 'option_missing']);
  // An opened link would save a file that is not a video.
  expect(await refusalOf(address, { 'sec-fetch-dest': 'document' })).toEqual([404, 'option_missing']);
  const sound = await journey.href('photos-m4a', 'mp3');
  expect(await refusalOf(`${sound}/slideshow`)).toEqual([404, 'ticket_invalid']);
});

test('a browser that has the worker’s script does not fetch it again', async () => {
  const script = await journey.get('/device-video.js');
  const etag = script.headers.get('etag') ?? expect.unreachable('no ETag');
  const again = await journey.get('/device-video.js', { headers: { 'if-none-match': etag } });
  expect([script.status, again.status]).toEqual([200, 304]);
});
