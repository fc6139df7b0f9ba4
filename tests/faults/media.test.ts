import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arrivalResponse } from '../../src/api/schemas.ts';
import type { ErrorResponse } from '../../src/site/api.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { originalVideo } from '../support/clips.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { until } from '../support/until.ts';

/** Videos that arrive whole although something fails, with the minimum number of requests for bytes. */
const survived = {
  'first-host-refuses': 2,
  'stale-addresses': 3,
  'media-server-error-once': 2,
  'html-as-mp4-first-host': 2,
  'early-close-once': 2,
  'early-close-thrice': 4,
  'reset-once': 2,
  'media-body-stall-once': 2,
  'media-header-stall-first-host': 2,
  'media-redirect': 2,
  'media-refused-first-host': 1,
  'no-ranges': 1,
} as const;

const refused: Record<string, readonly [status: number, key: string]> = {
  'all-hosts-refuse': [502, 'media_unavailable'],
  'refusal-says-mp4': [502, 'media_unavailable'],
  'media-throttled': [502, 'media_unavailable'],
  'media-gone': [502, 'media_unavailable'],
  'media-server-error': [502, 'media_unavailable'],
  'html-as-mp4': [502, 'media_invalid'],
  'playlist-as-mp4': [502, 'media_invalid'],
  'empty-as-mp4': [502, 'media_unavailable'],
  'reset-at-once': [502, 'media_unavailable'],
  'media-redirect-loop': [502, 'media_unavailable'],
  'media-redirect-foreign': [502, 'media_host_unknown'],
  'media-redirect-private': [502, 'media_unavailable'],
  'media-bad-tls': [502, 'media_unavailable'],
  'media-refused': [502, 'media_unavailable'],
  'media-connect-hangs': [504, 'platform_timeout'],
  'media-header-stall': [504, 'platform_timeout'],
  'media-drip': [504, 'platform_timeout'],
  'length-too-long': [502, 'media_unavailable'],
  'length-too-short': [502, 'media_unavailable'],
  'media-foreign-host': [502, 'media_unavailable'],
  'media-private-host': [502, 'media_unavailable'],
};

/** The most frequent faults, and one for each outcome. */
const usual: readonly string[] = [
  'first-host-refuses',
  'early-close-once',
  'media-header-stall-first-host',
  'no-ranges',
  'all-hosts-refuse',
  'html-as-mp4',
  'media-header-stall',
  'media-private-host',
];
const survivedHere = sample(Object.entries(survived), ([name]) => usual.includes(name));
const refusedHere = sample(Object.entries(refused), ([name]) => usual.includes(name));

let journey: Journey;
const links = new Map<string, string>();
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const mp4 = async (name: string) => journey.get(links.get(name) ?? (await journey.href(name, 'mp4')));

beforeAll(async () => {
  journey = await startJourney({ env: { CONVERSIONS: '4', TRUST_PROXY: '127.0.0.1' } });
  // The product reads with the post whether a video has sound: that would use up a fault that wears off.
  const names = [...survivedHere, ...refusedHere].map(([name]) => name);
  const read = [...names, ...brokenOff.map(([name]) => name), 'early-close-always'].filter(
    (name) => name !== 'stale-addresses',
  );
  // Sequentially: all at once are more than the product reads on a busy machine.
  for (const name of read) links.set(name, await journey.href(name, 'mp4'));
  await journey.platform.reset();
});
afterAll(() => journey.stop());

describe.concurrent('a video whose servers', () => {
  test.each(survivedHere)(
    'fail for a while (%s) still arrives whole, byte for byte, after %i requests',
    async (name, requests) => {
      const response = await mp4(name);
      expect(response.status).toBe(200);
      const bytes = await bytesOf(response);
      expect(bytes).toHaveLength(Number(response.headers.get('content-length')));
      expect(bytes.equals(originalVideo(name))).toBe(true);
      const { byPost } = await journey.platform.stats();
      expect(byPost[name]?.byKind.video).toBeGreaterThanOrEqual(requests);
    },
    60_000,
  );

  test.each(refusedHere)(
    'fail for good (%s) is an error before the first byte: %j',
    async (name, [status, key]) => {
      const response = await journey.get(links.get(name) ?? '', { signal: AbortSignal.timeout(30_000) });
      expect(await response.json()).toMatchObject({ code: status, error: { key } });
      expect(response.status).toBe(status);
    },
    40_000,
  );

  test('break off for good ends in a broken connection, never in a short file', async () => {
    const response = await mp4('early-close-always');
    expect(response.headers.get('content-length')).toBe(String(originalVideo('early-close-always').length));
    await expect(bytesOf(response)).rejects.toThrow();
  });
});

const brokenOff = [
  ['breaks-once', 206, 'sent'],
  ['breaks-then-refuses', 502, 'broken'],
  ['breaks-then-416', 502, 'broken'],
  ['breaks-then-changes', 200, 'sent'],
] as const;

describe.concurrent('a video that breaks off', () => {
  test.each(sample(brokenOff, ([name]) => name !== 'breaks-then-416'))(
    '%s: its rest is answered with %i, and the page is told that it is %s',
    async (name, status, state) => {
      const href = links.get(name) ?? '';
      const press = createHash('md5').update(name).digest('hex');
      const address = `${href}?press=${press}`;
      const arrivalOf = async () => {
        const answer = await (await journey.get(`${href}/arrival?press=${press}`)).json();
        return arrivalResponse.parse(answer).result;
      };
      const ended = () => until('it has ended', async () => (await arrivalOf()).state !== 'sending');
      const first = await journey.get(address);
      const etag = first.headers.get('etag') ?? '';
      await expect(bytesOf(first)).rejects.toThrow();
      await ended();
      const before = await arrivalOf();
      expect(before.state).toBe('broken');
      expect(before.bytes).toBeLessThanOrEqual(400_000);
      const rest = await journey.get(address, { headers: { range: 'bytes=300000-', 'if-range': etag } });
      const { length } = await bytesOf(rest);
      await ended();
      expect(rest.status).toBe(status);
      const whole = status === 200 ? length : originalVideo(name).length;
      expect(await arrivalOf()).toEqual(state === 'sent' ? { state, bytes: whole } : before);
    },
    40_000,
  );
});

describe.concurrent('an unavailable file', () => {
  const unavailable = [
    ['sound-refused', 'mp3', 502, 'media_unavailable'],
    ['sound-is-html', 'mp3', 502, 'media_invalid'],
    ['pictures-refused', 'zip', 502, 'media_unavailable'],
    ['pictures-refused', 'jpg-1', 502, 'media_unavailable'],
    ['media-header-stall', 'mp3', 504, 'platform_timeout'],
    ['media-header-stall', 'm4a', 504, 'platform_timeout'],
  ] as const;
  test.each(sample(unavailable, ([, , status]) => status !== 504))(
    '%s requested as %s is an error and no file',
    async (name, option, status, key) => {
      const response = await journey.get(await journey.href(name, option));
      expect(await response.json()).toMatchObject({ code: status, error: { key } });
      expect(response.status).toBe(status);
    },
  );

  test.each([
    ['all-hosts-refuse', 'mp4', 502, 'media_unavailable'],
    ['media-gone', 'mp4', 502, 'media_unavailable'],
    ['html-as-mp4', 'mp4', 502, 'media_invalid'],
    ['sound-refused', 'mp3', 502, 'media_unavailable'],
    ['pictures-refused', 'zip', 502, 'media_unavailable'],
    ['pictures-refused', 'jpg-1', 502, 'media_unavailable'],
  ] as const)('%s as %s is not reported as ready', async (name, option, status, key) => {
    const response = await journey.get(`${await journey.href(name, option)}/ready?locale=de`);
    const answer = (await response.json()) as ErrorResponse;
    expect(answer).toMatchObject({ code: status, error: { key } });
    expect(answer.error.message).toMatch(/\b(?:hat|Lade|Füge|Datei)\b/);
    expect(response.status).toBe(status);
  });

  test('a sound at a byte a second ends with an error in half a minute', {
    skip: !isAudit,
    timeout: 45_000,
  }, async () => {
    const href = await journey.href('media-drip', 'mp3');
    // Another visitor: one visitor's conversions wait for each other.
    const response = await journey.get(href, {
      headers: { 'x-forwarded-for': '203.0.113.7' },
      signal: AbortSignal.timeout(40_000),
    });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ error: { key: 'platform_timeout' } });
  });
});

test('the product continues, and contacted nobody else', async () => {
  expect((await bytesOf(await mp4('ordinary'))).equals(originalVideo('ordinary'))).toBe(true);
  expect((await journey.platform.stats()).foreign).toEqual({});
});
