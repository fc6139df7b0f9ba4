import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryMb } from '../../bench/support/process-cost.ts';
import { expectWithin, isAudit, sample } from '../support/audit/scope.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { until } from '../support/until.ts';

let platform: PlatformProcess;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

/**
 * The reported failure when player and embed page are down as well; the page's reason is not always the most
 * informative.
 */
const faults = {
  'wrong-id': [502, 'platform_failed'],
  'truncated-50': [502, 'platform_failed'],
  'truncated-90': [502, 'platform_failed'],
  'truncated-99': [502, 'platform_failed'],
  shell: [502, 'platform_blocked'],
  'scope-renamed': [502, 'platform_blocked'],
  'fields-renamed': [502, 'platform_failed'],
  'static-site': [502, 'platform_blocked'],
  decoy: [502, 'platform_blocked'],
  challenge: [502, 'platform_blocked'],
  'challenge-rci': [502, 'platform_blocked'],
  'challenge-mozilla': [502, 'platform_blocked'],
  maintenance: [502, 'platform_blocked'],
  'captcha-page': [502, 'platform_blocked'],
  'captcha-json': [502, 'platform_blocked'],
  login: [403, 'post_login_required'],
  empty: [502, 'platform_blocked'],
  forbidden: [502, 'platform_blocked'],
  throttled: [503, 'platform_throttled'],
  legal: [451, 'post_region_blocked'],
  'server-error': [502, 'platform_failed'],
  'bad-gateway': [502, 'platform_failed'],
  oversized: [502, 'platform_failed'],
  'gzip-bomb': [502, 'platform_failed'],
  'redirect-loop': [502, 'platform_failed'],
  'redirect-foreign': [502, 'platform_failed'],
  'redirect-private': [502, 'platform_failed'],
  'slow-drip': [504, 'platform_timeout'],
  'header-stall': [504, 'platform_timeout'],
  'body-stall': [504, 'platform_timeout'],
  'page-reset': [502, 'platform_failed'],
  'page-closed': [502, 'platform_failed'],
} as const;
type Fault = keyof typeof faults;

/** The product waits longest for these. */
const slow: readonly Fault[] = ['slow-drip', 'header-stall', 'body-stall'];
const quick = (Object.keys(faults) as Fault[]).filter((name) => !slow.includes(name));

/** Fewer than open a circuit breaker, so that the product must still read an ordinary post afterwards. */
const atOnce = 4;
/** One of each outcome except the slow ones. */
const usual: readonly Fault[] = ['truncated-90', 'challenge', 'login', 'throttled'];
const tried = sample(quick, (name) => usual.includes(name));
const groups = Array.from({ length: Math.ceil(tried.length / atOnce) }, (_, at) =>
  tried.slice(at * atOnce, (at + 1) * atOnce),
).map((group) => [group.join(', '), group] as const);

/** Status and key of an error; undefined for a found post. */
function outcomeOf({
  status,
  answer,
}: Awaited<ReturnType<Journey['resolve']>>): readonly [number, string | null] {
  return [status, 'error' in answer ? answer.error.key : null];
}

async function withProduct(
  task: (journey: Journey) => Promise<void>,
  platformOfProduct: PlatformProcess = platform,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const journey = await startJourney({ platform: platformOfProduct, env });
  try {
    await task(journey);
    expect((await journey.resolve('ordinary')).status).toBe(200);
    expect((await journey.get('/readyz')).status).toBe(200);
    expect(memoryMb(journey.product.pid)).toBeLessThan(400);
  } finally {
    await journey.stop();
  }
}

const findsAnotherWay = (group: readonly Fault[]) =>
  withProduct(async (journey) => {
    const answers = await Promise.all(group.map((name) => journey.resolve(name)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

const saysThatNothingWorks = (group: readonly Fault[]) =>
  withProduct(async (journey) => {
    const started = performance.now();
    const answers = await Promise.all(group.map((name) => journey.resolve(`${name}-everywhere`)));
    // Giving up after ten seconds at each takes at least twenty.
    expectWithin(20_000, started);
    expect(answers.map(outcomeOf)).toEqual(group.map((name) => faults[name]));
  });

/** A completely broken host: on a double of its own, since other tests use the same host at that time. */
async function withBrokenHost(
  fault: 'refuse' | 'bad-tls' | 'hang',
  [name, ...expected]: readonly [string, number, string],
): Promise<void> {
  const own = await startPlatform({});
  try {
    await withProduct(async (journey) => {
      await own.configure({ hostFaults: { 'www.tiktok.com': fault } });
      const outcome = outcomeOf(await journey.resolve(name));
      await own.reset();
      expect(outcome).toEqual(expected);
    }, own);
  } finally {
    await own.stop();
  }
}

test.each(groups)('falls back to another strategy: %s', (_, group) => findsAnotherWay(group));

test.each(groups)('reports in time and with a reason when nothing works: %s', (_, group) =>
  saysThatNothingWorks(group),
);

// In parallel: they do nothing but wait.
describe.concurrent('a slow strategy', () => {
  test.runIf(isAudit)('is replaced by another one', () => findsAnotherWay(slow));
  test('is given up in time', { skip: !isAudit }, () => saysThatNothingWorks(slow));
  test.runIf(isAudit)('is given up when the whole host hangs', () =>
    withBrokenHost('hang', ['only-480', 504, 'platform_timeout']),
  );
});

const brokenHosts = [
  ['refuse', ['only-576', 502, 'platform_failed']],
  ['bad-tls', ['landscape', 502, 'platform_failed']],
] as const;

test.runIf(isAudit).each(brokenHosts)(
  'a host with the fault %s is a failure of the platform',
  withBrokenHost,
);

const open = (journey: Journey) => journey.product.metric('clipferry_strategy_open');
const everywhere = quick.filter((name) => faults[name][1].startsWith('platform_'));

test('whatever posts one visitor requests, the others get theirs', { skip: !isAudit }, () =>
  withProduct(async (journey) => {
    const resolveAll = (names: readonly Fault[]) =>
      Promise.all(names.map((name) => journey.resolve(`${name}-everywhere`)));
    // Before any post was read, and afterwards.
    for (const bad of await resolveAll(everywhere.slice(0, 8)))
      expect(bad.status).toBeGreaterThanOrEqual(500);
    expect((await journey.resolve('only-576')).status).toBe(200);
    for (const bad of await resolveAll(everywhere.slice(8, 16)))
      expect(bad.status).toBeGreaterThanOrEqual(500);
    for (const name of ['only-480', 'landscape', 'photos', 'no-h265'])
      expect([name, (await journey.resolve(name)).status]).toEqual([name, 200]);
    expect(await open(journey)).toBe(0);
  }),
);

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** The page rejects Chrome for every post. */
async function withoutChrome(task: () => Promise<void>): Promise<void> {
  await platform.configure({ blockedChrome: [150, 160] });
  try {
    await task();
  } finally {
    await platform.reset();
  }
}

test("a refused user agent rests, and the metrics report each agent's outcomes", { skip: !isAudit }, () =>
  withProduct(async (journey) => {
    const answers = (agent: string, outcome: string) =>
      journey.product.metric('clipferry_user_agent_answers', { strategy: 'tiktok/page', agent, outcome });
    const resting = (agent: string) =>
      journey.product.metric('clipferry_user_agent_resting', { strategy: 'tiktok/page', agent });
    await withoutChrome(async () => {
      for (const name of ['ordinary', 'only-576'])
        expect([name, (await journey.resolve(name)).status]).toEqual([name, 200]);
    });
    expect([await answers(chrome, 'refused'), await answers(chrome, 'answered')]).toEqual([1, 0]);
    expect([await answers(firefox, 'refused'), await answers(firefox, 'answered')]).toEqual([0, 2]);
    expect([await resting(chrome), await resting(firefox)]).toEqual([1, 0]);
  }),
);

test('closes a strategy that fails for every post, and the metrics say so', { skip: !isAudit }, () =>
  withProduct(
    async (journey) => {
      const names = ['no-text', 'rtl-title', 'long-text', 'dotted-handle', 'missing-author'];
      expect((await journey.resolve('ordinary')).status).toBe(200);
      expect(await open(journey)).toBe(0);
      await withoutChrome(async () => {
        for (const name of names) expect([name, (await journey.resolve(name)).status]).toEqual([name, 200]);
        await until('the page is closed', async () => (await open(journey)) === 1);
      });
      expect(await journey.product.metric('clipferry_strategy_open', { strategy: 'tiktok/page' })).toBe(1);
    },
    platform,
    { USER_AGENTS: chrome },
  ),
);

/** Posts with changed data, and the parts that the page's reader misses. */
const strange = {
  'strange-no-address': 'video_address',
  'strange-only-marked': 'watermark_only',
  'strange-item-list': 'item',
  'strange-video-text': 'media',
  'strange-number-id': 'id',
} as const;
const strangePosts = Object.keys(strange) as (keyof typeof strange)[];
const strangePost = [502, 'post_unreadable'];

test('reports a strange post as one, to visitors and to the operator, and opens no breaker', () =>
  withProduct(async (journey) => {
    const good = ['only-480', 'landscape', 'photos', 'no-h265', 'only-576'];
    for (const [at, name] of strangePosts.entries()) {
      expect([name, outcomeOf(await journey.resolve(name))]).toEqual([name, strangePost]);
      expect((await journey.resolve(good[at] ?? '')).status).toBe(200);
      const labels = { strategy: 'tiktok/page', shape: strange[name] };
      expect([name, await journey.product.metric('clipferry_unreadable_answers_total', labels)]).toEqual([
        name,
        1,
      ]);
    }
    expect(await open(journey)).toBe(0);
    expect(await journey.product.metric('clipferry_resolves_total', { outcome: 'platform_changed' })).toBe(0);

    const logged = () => journey.product.log().filter((line) => line.unreadable !== undefined);
    await until('all of them stand in the log', async () => logged().length === strangePosts.length);
    const lines = logged();
    expect(lines.map(({ unreadable }) => unreadable)).toEqual(
      strangePosts.map((name) =>
        expect.objectContaining({
          platform: 'tiktok',
          id: /\d+$/.exec(platform.link(name))?.[0],
          strategy: 'tiktok/page',
          shape: strange[name],
        }),
      ),
    );
    for (const line of lines)
      expect(Object.keys(line).sort()).toEqual(['level', 'msg', 'time', 'unreadable']);
  }));

test(
  'several strange posts in a row with no good one between them count as a change of the platform',
  { skip: !isAudit },
  () =>
    withProduct(
      async (journey) => {
        const outcomes = [];
        for (const [at, name] of strangePosts.entries())
          outcomes.push(
            outcomeOf(
              await journey.resolve(name, {
                'x-forwarded-for': at % 2 === 0 ? '203.0.113.1' : '198.51.100.1',
              }),
            ),
          );
        expect(outcomes).toEqual([
          ...strangePosts.slice(1).map(() => strangePost),
          [502, 'platform_changed'],
        ]);
        expect(await journey.product.metric('clipferry_strategy_open', { strategy: 'tiktok/page' })).toBe(1);
      },
      platform,
      { TRUST_PROXY: '127.0.0.1' },
    ),
);

const shortLinks: Record<string, readonly [number, string]> = {
  'short-vm': [200, 'ordinary'],
  'short-vt': [200, 'long-60s'],
  'short-t': [200, 'ordinary'],
  'short-photo': [200, 'photos'],
  'short-hyphen': [200, 'ordinary'],
  'short-stub': [200, 'ordinary'],
  'short-empty-handle': [200, 'ordinary'],
  'short-mobile': [200, 'ordinary'],
  'short-share-item': [200, 'ordinary'],
  'short-two-hops': [200, 'ordinary'],
  'short-story': [200, 'ordinary'],
  'short-not-found': [404, 'short_link_dead'],
  'short-notfound': [404, 'short_link_dead'],
  'short-deleted': [404, 'post_gone'],
  'short-dead': [404, 'short_link_dead'],
  'short-profile': [422, 'link_profile'],
  'short-live': [422, 'link_live'],
  'short-music': [422, 'link_sound'],
  'short-foreign': [404, 'short_link_elsewhere'],
  'short-private': [404, 'short_link_elsewhere'],
  'short-not-short': [404, 'short_link_dead'],
  'short-404': [404, 'short_link_dead'],
  'short-throttled': [503, 'platform_throttled'],
  'short-server-error': [502, 'platform_failed'],
  'short-loop': [404, 'short_link_dead'],
};

test('every short link leads to its post or has its own error', () =>
  withProduct(async (journey) => {
    const there = Object.keys(platform.links).filter((name) => /^short-(?!loop-\d)/.test(name));
    expect(Object.keys(shortLinks).sort()).toEqual(there.sort());
    for (const [name, expected] of Object.entries(shortLinks)) {
      const read = await journey.resolve(name);
      const { answer } = read;
      const id = 'result' in answer ? answer.result.post.id : null;
      const post = id === null ? undefined : platform.link(expected[1]);
      expect([name, outcomeOf(read)[0]]).toEqual([name, expected[0]]);
      if (id === null) expect([name, ...outcomeOf(read)]).toEqual([name, ...expected]);
      else expect([name, post?.endsWith(`/${id}`)]).toEqual([name, true]);
    }
  }));

test('contacts no other host', async () => {
  expect((await platform.stats()).foreign).toEqual({});
});
