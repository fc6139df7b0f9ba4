import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConversionResponse } from '../../src/site/api.ts';
import { isAudit } from '../support/audit/scope.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { hasFfmpeg, probeVideo } from '../support/probe.ts';
import { until } from '../support/until.ts';

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe.skipIf(!hasFfmpeg)('one video of a slideshow', () => {
  let journey: Journey;
  beforeAll(async () => {
    journey = await startJourney({ env: { CONVERSIONS: '2', TRUST_PROXY: '127.0.0.1' } });
  });
  afterAll(() => journey.stop());

  const request = (path: string, visitor: string, init: RequestInit = {}) =>
    journey.get(path, { ...init, headers: { 'x-forwarded-for': visitor } });
  const stateOf = async (href: string) => {
    const answer = (await (await journey.get(`${href}/status`)).json()) as { result: { state: string } };
    return answer.result.state;
  };
  const ended = (outcome: string) =>
    journey.product.metric('clipferry_conversions_ended_total', { outcome, format: 'mp4' });
  async function atRest(): Promise<void> {
    const folder = join(journey.product.dataFolder, 'expiring-files', 'slideshows');
    await until('no part of a video is left', () => readdirSync(folder).length === 0);
    await until(
      'none is made',
      async () => (await journey.product.metric('clipferry_conversions', { state: 'running' })) === 0,
    );
  }

  test('has its pictures and its sound, plays at once, reports its progress, and is made once for all', async () => {
    const href = await journey.href('photos', 'mp4-slideshow');
    const events = await journey.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
    const answers = await Promise.all(['192.0.2.1', '192.0.2.2'].map((visitor) => request(href, visitor)));
    const [response] = answers;
    expect(response?.headers.get('content-type')).toBe('video/mp4');
    expect(response?.headers.get('content-disposition')).toMatch(/filename=[\w.]+-\d{19}\.mp4$/);
    const [mp4 = Buffer.alloc(0), same] = await Promise.all(answers.map(bytesOf));
    expect(same?.equals(mp4)).toBe(true);
    // Waiting callers have the last bytes before the file is stored.
    await until('it is counted, once', async () => (await ended('done')) === 1);
    const { durationS, streams, boxes, tags } = probeVideo(mp4);
    expect(tags).toMatchObject({
      artist: 'The Ferry Captain',
      comment: expect.stringContaining('tiktok.com') as string,
    });
    expect(streams).toMatchObject([
      { codec_name: 'h264', pix_fmt: 'yuv420p', width: 1080 },
      { codec_name: 'aac' },
    ]);
    for (const seconds of [durationS, ...streams.map(({ duration }) => Number(duration))])
      expect(Math.abs(seconds - 20)).toBeLessThan(0.1);
    expect(boxes.indexOf('moov')).toBeLessThan(boxes.indexOf('mdat'));
    const reported = await events.text();
    const fractions = [...reported.matchAll(/"converting","ahead":null,"progress":([\d.]+)/g)].map(
      ([, one]) => Number(one),
    );
    expect(fractions.length).toBeGreaterThan(3);
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
    const part = await request(href, '192.0.2.3', { method: 'GET' });
    expect(part.headers.get('accept-ranges')).toBe('bytes');
    await part.body?.cancel();
    await atRest();
  });

  test('leaves out what is unavailable, and rests on each picture when no sound sets its length', {
    skip: !isAudit,
  }, async () => {
    const faulty = await request(await journey.href('pictures-of-all-faults', 'mp4-slideshow'), '192.0.2.4');
    expect(probeVideo(await bytesOf(faulty)).durationS).toBeCloseTo(20, 1);
    const silent = probeVideo(
      await bytesOf(await request(await journey.href('photos-no-sound', 'mp4-slideshow'), '192.0.2.5')),
    );
    expect(silent.durationS).toBeCloseTo(5, 1);
    expect(silent.streams.map(({ codec_name }) => codec_name)).toEqual(['h264']);
    const refused = await request(await journey.href('pictures-refused', 'mp4-slideshow'), '192.0.2.6');
    expect(refused.status).toBe(502);
    expect(await refused.json()).toMatchObject({ error: { key: 'media_unavailable' } });
    await atRest();
  });

  test('comes without a sound that cannot be had, and says so', async () => {
    for (const post of isAudit ? ['sound-refused', 'sound-is-html'] : ['sound-refused']) {
      const href = await journey.href(post, 'mp4-slideshow');
      const events = await journey.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
      const silent = await request(href, '192.0.2.7');
      expect(silent.headers.get('content-disposition')).toMatch(/filename=[\w.]+-\d{19}-no-sound\.mp4$/);
      const { durationS, streams } = probeVideo(await bytesOf(silent));
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264']);
      expect(durationS).toBeCloseTo(5, 1);
      expect((await events.text()).split('\n').findLast((line) => line.includes('"done"'))).toContain(
        '"no_sound":"lost"',
      );
      const later = (await (await journey.get(`${href}/status`)).json()) as ConversionResponse;
      expect(later.result).toMatchObject({ state: 'done', no_sound: 'lost' });
      expect(
        (await request(href, '192.0.2.7', { method: 'HEAD' })).headers.get('content-disposition'),
      ).toContain('-no-sound.mp4');
    }
    await atRest();
  });

  test('says how many pictures it lacks', async () => {
    // One that nothing here decodes.
    const href = await journey.href('photos-heic', 'mp4-slideshow');
    const events = await journey.get(`${href}/status`, { headers: { accept: 'text/event-stream' } });
    expect(probeVideo(await bytesOf(await request(href, '192.0.2.8'))).streams).toHaveLength(2);
    expect((await events.text()).split('\n').findLast((line) => line.includes('"done"'))).toContain(
      '"missing_photos":1',
    );
    const later = (await (await journey.get(`${href}/status`)).json()) as ConversionResponse;
    expect(later.result).toMatchObject({ state: 'done', missing_photos: 1 });
    await atRest();
  });

  test('is made one at a time, beside sounds, and stops wherever the visitors leave or cancel', async () => {
    const leaving = new AbortController();
    const [long, next] = await Promise.all(
      ['photos-35', 'photos-one'].map((post) => journey.href(post, 'mp4-slideshow')),
    );
    if (long === undefined || next === undefined) throw new Error('two videos');
    const left = request(long, '198.51.100.1', { signal: leaving.signal }).catch(() => null);
    await until('the first is made', async () => (await stateOf(long)) === 'converting');
    const cancelled = request(next, '198.51.100.2');
    await until('the next waits', async () => (await stateOf(next)) === 'waiting');
    const sound = await request(await journey.href('very-short', 'mp3'), '198.51.100.3');
    expect((await bytesOf(sound)).length).toBeGreaterThan(10_000);
    expect(await stateOf(next)).toBe('waiting');
    leaving.abort();
    await left;
    await until('the next is made', async () => (await stateOf(next)) === 'converting');
    const answer = await request(`${next}/status`, '198.51.100.2', { method: 'DELETE' });
    expect(await answer.json()).toMatchObject({ result: { cancelled: true } });
    expect((await cancelled).status).toBe(409);
    await atRest();
    expect(await ended('cancelled')).toBe(2);
  });
});
