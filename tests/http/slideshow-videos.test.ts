import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Journey, startJourney } from '../support/journey.ts';
import { hasFfmpeg, probeVideo } from '../support/probe.ts';
import { until } from '../support/until.ts';

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe.skipIf(!hasFfmpeg)('one video of a slideshow', () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ env: { CONVERSIONS: '2' } });
  });
  afterAll(() => journey.stop());

  const scratch = () => readdirSync(join(journey.product.dataFolder, 'expiring-files', 'slideshows'));
  const atRest = () => until('nothing is left', () => scratch().length === 0);

  test('has its pictures and its sound, is told as it is made, and made once', async () => {
    const href = await journey.href('photos', 'mp4-slideshow');
    const events = await journey.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
    const response = await journey.get(href);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-disposition')).toMatch(/filename="[\w.-]+-\d{19}\.mp4"/);
    const mp4 = await bytesOf(response);
    expect(mp4).toHaveLength(Number(response.headers.get('content-length')));
    const { durationS, streams, boxes } = probeVideo(mp4);
    expect(streams).toMatchObject([
      { codec_name: 'h264', pix_fmt: 'yuv420p', width: 1080 },
      { codec_name: 'aac' },
    ]);
    for (const stream of streams) expect(Math.abs(Number(stream.duration) - 20)).toBeLessThan(0.1);
    expect(Math.abs(durationS - 20)).toBeLessThan(0.1);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    const told = await events.text();
    const fractions = [...told.matchAll(/"state":"converting","ahead":null,"progress":([\d.]+)/g)].map(Number);
    console.log(told);
    const part = await journey.get(href, { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    await atRest();
  });
});
