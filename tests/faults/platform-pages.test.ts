import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryMb } from '../../bench/support/process-cost.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const faults = [
  'wrong-id',
  'truncated-50',
  'truncated-90',
  'truncated-99',
  'shell',
  'scope-renamed',
  'fields-renamed',
  'decoy',
  'challenge',
  'challenge-rci',
  'maintenance',
  'captcha-page',
  'captcha-json',
  'login',
  'empty',
  'forbidden',
  'throttled',
  'legal',
  'server-error',
  'bad-gateway',
  'oversized',
  'gzip-bomb',
  'redirect-loop',
  'redirect-foreign',
  'redirect-private',
  'slow-drip',
  'header-stall',
  'body-stall',
  'page-reset',
  'page-closed',
];

/** Fewer than open a circuit breaker, so that the product must still read an ordinary post afterwards. */
const atOnce = 4;
const groups = Array.from({ length: Math.ceil(faults.length / atOnce) }, (_, at) =>
  faults.slice(at * atOnce, (at + 1) * atOnce),
);

async function withProduct(work: (journey: Journey) => Promise<void>): Promise<void> {
  const journey = await startJourney({ platform });
  try {
    await work(journey);
    expect((await journey.resolve('ordinary')).status).toBe(200);
    expect((await journey.get('/readyz')).status).toBe(200);
    expect(memoryMb(journey.product.pid)).toBeLessThan(400);
  } finally {
    await journey.stop();
  }
}

test.each(groups)('another way is found round: %s %s %s %s', (...names) =>
  withProduct(async (journey) => {
    const answers = await Promise.all(names.filter(Boolean).map((name) => journey.resolve(name)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  }),
);

test.each(groups)('when nothing works it is said, in time and with a reason: %s %s %s %s', (...names) =>
  withProduct(async (journey) => {
    const started = performance.now();
    const answers = await Promise.all(
      names.filter(Boolean).map((name) => journey.resolve(`${name}-everywhere`)),
    );
    expect(performance.now() - started).toBeLessThan(11_000);
    for (const { status, answer } of answers) {
      expect([403, 451, 502, 503, 504]).toContain(status);
      expect('error' in answer && answer.error.key).toMatch(
        /^(platform_|post_login_required|post_region_blocked|post_taken_down)/,
      );
    }
  }),
);

test('a host that refuses, hangs or shows a bad certificate is a failure of the platform', () =>
  withProduct(async (journey) => {
    for (const fault of ['refuse', 'bad-tls', 'hang'] as const) {
      await platform.configure({ hostFaults: { 'www.tiktok.com': fault } });
      const { status } = await journey.resolve(
        fault === 'hang' ? 'only-480' : fault === 'refuse' ? 'only-576' : 'landscape',
      );
      expect([fault, status >= 502 && status <= 504]).toEqual([fault, true]);
    }
    await platform.reset();
  }));

test('short links that loop, lead elsewhere or are dead are told apart', () =>
  withProduct(async (journey) => {
    for (const [name, status] of [
      ['short-vm', 200],
      ['short-hyphen', 200],
      ['short-photo', 200],
    ] as const)
      expect([name, (await journey.resolve(name)).status]).toEqual([name, status]);
    const others = Object.keys(platform.links).filter((name) => name.startsWith('short-'));
    for (const name of others) {
      const { status, answer } = await journey.resolve(name);
      if (status !== 200) expect([name, 'error' in answer && answer.error.key]).not.toContain('internal');
    }
  }));

test('nobody else was ever asked for anything', async () => {
  expect((await platform.stats()).foreign).toEqual({});
});
