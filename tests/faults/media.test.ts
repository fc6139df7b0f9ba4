import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMb } from '../../bench/support/process-cost.ts';
import { type Journey, startJourney } from '../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ env: { CONVERSIONS: '4' } });
});
afterAll(() => journey.stop());

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const mp4 = async (name: string) => journey.get(await journey.href(name, 'mp4'));

describe.concurrent('a video whose servers', () => {
  test.each([
    'first-host-refuses',
    'stale-addresses',
    'media-server-error-once',
    'html-as-mp4-first-host',
    'early-close-once',
    'early-close-thrice',
    'reset-once',
    'media-body-stall-once',
    'media-header-stall-first-host',
    'media-redirect',
    'media-refused-first-host',
    'no-ranges',
  ])(
    'fail for a while (%s) still arrives whole',
    async (name) => {
      const response = await mp4(name);
      expect(response.status).toBe(200);
      const bytes = await bytesOf(response);
      expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    },
    60_000,
  );

  test.each([
    'all-hosts-refuse',
    'refusal-says-mp4',
    'media-throttled',
    'media-gone',
    'media-server-error',
    'html-as-mp4',
    'playlist-as-mp4',
    'empty-as-mp4',
    'reset-at-once',
    'media-redirect-loop',
    'media-redirect-foreign',
    'media-redirect-private',
    'media-bad-tls',
    'media-refused',
    'media-connect-hangs',
    'media-header-stall',
    'length-too-long',
  ])(
    'fail for good (%s) is an error before the first byte',
    async (name) => {
      const response = await mp4(name);
      expect([502, 503, 504]).toContain(response.status);
      expect(await response.json()).toMatchObject({
        error: { key: expect.stringMatching(/^(media_|platform_)/) },
      });
    },
    90_000,
  );

  test('break off for good end in a broken connection, never in a short file', async () => {
    await expect(mp4('early-close-always').then(bytesOf)).rejects.toThrow();
  });

  test.each(['media-foreign-host', 'media-private-host'])(
    'are not the platform (%s) are never asked',
    async (name) => {
      const { status, answer } = await journey.resolve(name);
      if (status !== 200) return;
      const href = 'result' in answer ? answer.result.options[0]?.href : undefined;
      expect((await journey.get(href ?? '')).status).toBeGreaterThanOrEqual(400);
    },
  );
});

test('a resumed file is the same, byte for byte', async () => {
  const first = digest(await bytesOf(await mp4('early-close-thrice')));
  await journey.platform.reset();
  expect(digest(await bytesOf(await mp4('early-close-thrice')))).toBe(first);
});

test('no damaged file is converted into an empty or endless one', async () => {
  const damaged = Object.keys(journey.platform.links).filter((name) => name.startsWith('damaged-'));
  expect(damaged.length).toBeGreaterThan(15);
  for (const name of damaged) {
    const { answer } = await journey.resolve(name);
    const option = 'result' in answer ? answer.result.options.find(({ id }) => id === 'mp3') : undefined;
    if (option === undefined) continue;
    const response = await journey.get(option.href);
    if (response.ok) {
      const broken = await bytesOf(response).then(
        (bytes) => bytes.length === 0,
        () => false,
      );
      expect([name, broken]).toEqual([name, false]);
    } else
      expect(await response.json()).toMatchObject({
        error: { key: expect.stringMatching(/^(media_|conversion_|sound_)/) },
      });
  }
  expect(memoryMb(journey.product.pid)).toBeLessThan(500);
});

test('a sound that is refused or no sound is an error', async () => {
  for (const name of ['sound-refused', 'sound-is-html']) {
    const response = await journey.get(await journey.href(name, 'mp3'));
    expect(response.status).toBe(502);
  }
});

test('a page of pictures that cannot be had is an error and no empty zip', async () => {
  expect((await journey.get(await journey.href('pictures-refused', 'zip'))).status).toBe(502);
});

test('the product goes on, and asked nobody else', async () => {
  expect((await mp4('ordinary')).status).toBe(200);
  expect((await journey.platform.stats()).foreign).toEqual({});
});
