import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { DOWNLOADS_AT_ONCE: '1' } });
});
afterAll(() => journey.stop());

const preview = (href: string, range = 'bytes=0-') => journey.get(`${href}/preview`, { headers: { range } });

test('a player gets any part of a video, and of a sound that was not there before', async () => {
  const video = await preview(await journey.href('ordinary', 'mp4'), 'bytes=0-1');
  expect([video.status, video.headers.get('content-range')]).toEqual([206, 'bytes 0-1/1442000']);
  for (const option of ['m4a', 'mp3']) {
    const sound = await preview(await journey.href('only-576', option), 'bytes=0-1');
    expect([sound.status, (await sound.arrayBuffer()).byteLength]).toEqual([206, 2]);
  }
  const picture = await preview(await journey.href('photos', 'jpg-1'));
  expect(picture.status).toBe(404);
});

test("a preview does not count as one of a visitor's downloads, and has a small limit", async () => {
  const long = await journey.href('ten-minutes', 'mp4');
  const running = await Promise.all([preview(long), preview(long), preview(long)]);
  expect(running.map(({ status }) => status)).toEqual([206, 206, 206]);
  const download = await journey.get(long);
  expect(download.status).toBe(200);
  const another = await preview(long);
  expect(another.status).toBe(429);
  expect(await another.json()).toMatchObject({ error: { key: 'downloads_limited' } });
  for (const { body } of [...running, download]) await body?.cancel();
});
