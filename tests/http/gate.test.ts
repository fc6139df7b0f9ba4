import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GateChange } from '../../doubles/tiktok/pages/gate.ts';
import type { SettingsChange } from '../../doubles/tiktok/settings.ts';
import { isAudit, sample } from '../support/audit/scope.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { numberedId, type PlatformProcess, startPlatform } from '../support/platform.ts';
import { startHttpProxy, type TestProxy, throughPlatform } from '../support/proxies.ts';

const clients = ['203.0.113.1', '203.0.113.2'] as const;
/** A visitor waits for a post no longer, with the time that a busy machine takes. */
const visitorsLimitMs = 20_000;

let platform: PlatformProcess;
let proxies: TestProxy[];
let journey: Journey;
let posts = 0;

beforeAll(async () => {
  platform = await startPlatform();
  const { HTTPS_PROXY } = platform.environment;
  proxies = await Promise.all(
    clients.map((client) => startHttpProxy({ route: throughPlatform(HTTPS_PROXY, client) })),
  );
  const env = { OUTBOUND_PROXIES: proxies.map(({ url }) => url).join(', ') };
  journey = await startJourney({ platform, env });
});
afterAll(async () => {
  await journey.stop();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await platform.stop();
});
beforeEach(() => platform.reset());

/** Resolves a post that was not read before. @returns the ids of its options, and its page requests */
async function resolveNext() {
  posts += 1;
  const { byKind: before } = await platform.stats();
  const link = `https://www.tiktok.com/@ferry.captain/video/${numberedId(30_000 + posts)}`;
  const { status, answer } = await journey.resolve(link);
  const { byKind, foreignCookies } = await platform.stats();
  expect(foreignCookies).toBe(0);
  return {
    status,
    options: 'result' in answer ? answer.result.options.map(({ id }) => id) : [],
    pageRequests: (byKind.page ?? 0) - (before.page ?? 0),
  };
}

const gates: readonly (readonly [string, GateChange])[] = [
  ['phones alone', { desktop: 'challenge', honest: 'challenge' }],
  ['desktop browsers alone', { phone: 'challenge', honest: 'challenge' }],
  ['the own name alone', { desktop: 'challenge', phone: 'challenge' }],
  ['HTTP/1.1 alone', { http: '1.1' }],
  ['HTTP/2 alone', { http: '2' }],
  ['warm jars alone', { coldJar: 'shell' }],
  ['jars of the home page alone', { coldJar: 'shell', warmedBy: 'home' }],
  ['seven of ten', { passes: 7 }],
  ['phones, and sends desktop browsers to log in', { desktop: 'login', honest: 'login' }],
];

describe('a gate that lets in', () => {
  test.each(sample(gates, ([name]) => name === 'phones alone' || name === 'jars of the home page alone'))(
    '%s: a visitor of each egress gets HD at the first try after two, for three page requests at most',
    async (_, gate) => {
      // Visitors of the open gate: each egress has its experience with it.
      for (let at = 0; at < 4; at += 1) await resolveNext();
      await platform.configure({ gate });
      let standard = 0;
      for (let at = 0; at < 14; at += 1) {
        const { status, pageRequests, options } = await resolveNext();
        expect(status).toBe(200);
        expect(pageRequests).toBeLessThanOrEqual(3);
        if (!options.includes('mp4-hd')) standard += 1;
      }
      expect(standard).toBeLessThanOrEqual(2 * clients.length);
    },
  );

  test('no page: a download in standard quality', async () => {
    await platform.configure({ gate: { desktop: 'challenge', phone: 'challenge', honest: 'challenge' } });
    const { status, options } = await resolveNext();
    expect(status).toBe(200);
    expect(options).toContain('mp4');
    expect(options).not.toContain('mp4-hd');
  });
});

const lines: readonly (readonly [string, SettingsChange])[] = [
  ['odd cookies', { oddCookies: 'odd' }],
  ['more cookies than headers have room for', { oddCookies: 'too-many' }],
  ['hosts that lie about HTTP/2', { alpn: 'lies' }],
  ['a home page that hangs', { gate: { coldJar: 'shell', warmedBy: 'home', home: 'hang' } }],
];

test.each(sample(lines, ([name]) => name === 'odd cookies'))(
  '%s: a visitor is answered in time, and no egress gets cookies of another',
  async (_, change) => {
    await platform.configure(change);
    for (let at = 0; at < (isAudit ? 6 : 3); at += 1) {
      const since = performance.now();
      const { status, pageRequests } = await resolveNext();
      expect(status).toBe(200);
      expect(pageRequests).toBeLessThanOrEqual(3);
      if (isAudit) expect(performance.now() - since).toBeLessThan(visitorsLimitMs);
    }
  },
);
