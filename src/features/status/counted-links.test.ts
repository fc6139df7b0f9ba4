import { EventEmitter, once } from 'node:events';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import { createWhoCounts } from '../../server/http/limits/who-counts.ts';
import { decorateRequests } from '../../server/http/requests.ts';
import { createVisitorHasher, ownNamingKey } from '../../server/http/visitor/visitor.ts';
import { handleErrors } from '../../server/instance/errors.ts';
import { recordRequests } from '../../server/metrics/requests.ts';
import { countHere } from '../../stores/embedded/rate-counters.ts';
import type { Subject } from '../../stores/tally/subjects.ts';
import { unitOf } from '../../stores/tally/units.ts';
import { siteStatus } from './site-status.ts';

const now = Date.UTC(2026, 10, 20, 12, 30);

/** A site whose `/api/resolve` ends as its caller says. */
async function openSite({ withheld = '' } = {}) {
  const app = Fastify({ trustProxy: ['127.0.0.1'] });
  const sums = { succeeded: 0, failed: 0 };
  const uncounted: string[] = [];
  const events = new EventEmitter();
  const tally = {
    add(subject: Subject, name: string, detail = '') {
      if (subject === 'outcome' && name === 'links') sums[detail as keyof typeof sums]++;
      if (subject === 'uncounted' && name === 'links') uncounted.push(`${name} ${detail}`);
    },
  };
  decorateRequests(app, { origin: 'http://site.example', hashVisitor: createVisitorHasher(ownNamingKey()) });
  app.decorateRequest('pageContext', null);
  handleErrors(app, async (_, __, ___, reply) => reply);
  recordRequests(app, {
    ...{ tally, metrics: new Registry(), logRequest: () => {} },
    counts: createWhoCounts({ makeCounters: countHere, tally, isWithheld: ({ id }) => id === withheld }),
  });
  // Runs after the counting.
  app.addHook('onResponse', async () => void events.emit('counted'));
  app.post('/api/resolve', async (request) => {
    const { post, key } = request.body as { post: string; key?: FailureKey };
    request.askedPost = { platform: 'tiktok', id: post };
    if (key !== undefined) throw new Failure(key);
    return {};
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const statusNow = () =>
    siteStatus(
      [{ at: unitOf('hour', now), name: 'links', total: sums.succeeded + sums.failed, part: sums.succeeded }],
      [],
      now,
    );
  /** @param from an address @param headers of a browser */
  const ask = async (
    from: string,
    post: string,
    key?: FailureKey,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const counted = once(events, 'counted');
    await fetch(`${origin}/api/resolve`, {
      method: 'POST',
      body: JSON.stringify({ post, key }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
    });
    await counted;
  };
  return { ask, sums, uncounted, state: () => statusNow().now, close: () => app.close() };
}

let site: Awaited<ReturnType<typeof openSite>>;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

const visitor = (number: number) => `198.51.${number}.7`;

describe('with 120 visitors who get their links', () => {
  beforeEach(async () => {
    for (let number = 0; number < 120; number++) await site.ask(visitor(number), `good ${number % 40}`);
    expect(site.sums).toEqual({ succeeded: 120, failed: 0 });
  });

  test('one who asks ten times for a post that fails changes nothing', async () => {
    for (let time = 0; time < 10; time++) await site.ask('77.1.1.1', 'odd', 'post_unreadable');
    expect([site.state(), site.sums.failed]).toEqual(['working', 1]);
    expect(site.uncounted).toEqual(Array(9).fill('links post'));
  });

  test('a household with sixty networks that asks 240 times for one post changes nothing', async () => {
    for (let time = 0; time < 240; time++)
      await site.ask(`2001:db8:0:12${(time % 60).toString(16).padStart(2, '0')}::1`, 'odd', 'internal');
    expect([site.state(), site.sums.failed]).toEqual(['working', 1]);
    expect(site.uncounted).toHaveLength(239);
    expect(new Set(site.uncounted)).toEqual(new Set(['links post', 'links network']));
  });

  test('many networks that ask for one post that fails change nothing', async () => {
    for (let number = 0; number < 100; number++) await site.ask(visitor(number), 'odd', 'platform_failed');
    expect([site.state(), site.sums.failed]).toEqual(['working', 1]);
  });

  test('an outage is seen after a few of its visitors', async () => {
    let asked = 0;
    for (; site.state() === 'working'; asked++)
      await site.ask(visitor(asked), `post ${asked}`, 'platform_blocked');
    expect(asked).toBeLessThan(10);
    for (; site.state() !== 'broken'; asked++)
      await site.ask(visitor(asked), `post ${asked}`, 'platform_blocked');
    expect(asked).toBeLessThan(130);
  });

  test('what limits of the site refuse, and what other sites and taken down posts bring, counts nothing', async () => {
    for (const key of ['rate_limited', 'downloads_limited', 'queue_full', 'overloaded', 'stopping'] as const)
      for (let number = 0; number < 20; number++) await site.ask(visitor(number), `post ${number}`, key);
    expect(site.sums).toEqual({ succeeded: 120, failed: 0 });
    expect(site.uncounted).toEqual([]);
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      await site.ask(visitor(1), 'post a', 'internal', headers);
      await site.ask(visitor(200), 'post b', undefined, headers);
    }
    expect(site.sums).toEqual({ succeeded: 120, failed: 0 });
    expect(site.uncounted).toEqual(Array(6).fill('links other_site'));
  });
});

describe('on a quiet site', () => {
  test('one visitor decides nothing, whatever posts it asks for', async () => {
    for (let time = 0; time < 5; time++) await site.ask('77.1.1.1', 'odd', 'post_unreadable');
    expect(site.state()).toBe('unknown');
  });

  test('one household decides nothing, whatever posts it asks for', async () => {
    for (let time = 0; time < 80; time++)
      await site.ask(`2001:db8:0:12${time + 10}::1`, `odd ${time}`, 'internal');
    expect([site.state(), site.sums.failed]).toEqual(['unknown', 3]);
    expect(site.uncounted).toEqual(Array(77).fill('links share'));
    // Nor does it beside an honest failure.
    await site.ask(visitor(1), 'another', 'internal');
    for (let time = 0; time < 80; time++)
      await site.ask(`2001:db8:0:12${time + 10}::1`, `odder ${time}`, 'internal');
    expect(site.sums.failed).toBe(4);
  });

  test('five visitors without their links are an outage', async () => {
    for (let number = 0; number < 5; number++) await site.ask(visitor(number), `post ${number}`, 'internal');
    expect(site.state()).toBe('broken');
  });
});

test('a visitor counts ten times an hour, a block eighty times', async () => {
  for (let time = 0; time < 12; time++) await site.ask('77.1.1.1', `post ${time}`);
  expect(site.sums.succeeded).toBe(10);
  for (let number = 2; number < 20; number++)
    for (let time = 0; time < 12; time++) await site.ask(`77.1.1.${number}`, `post ${time}`);
  expect(site.sums.succeeded).toBe(80);
  expect(new Set(site.uncounted)).toEqual(new Set(['links network']));
});

test('a post that is taken down counts nothing', async () => {
  await site.close();
  site = await openSite({ withheld: 'gone' });
  for (let number = 0; number < 9; number++) {
    await site.ask(visitor(number), 'gone');
    await site.ask(visitor(number), 'gone', 'internal');
  }
  expect(site.sums).toEqual({ succeeded: 0, failed: 0 });
});
