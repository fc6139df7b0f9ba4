import fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConversionStatus, Conversions } from '../../downloader/conversions/contracts.ts';
import { createTickets } from '../../downloader/tickets/tickets.ts';
import { createRateLimits } from '../http/limits/visitor-limits.ts';
import { decorateRequests } from '../http/requests.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { statusEndpoint } from './status.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  // At 0 the store of responses treats a time as missing.
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

const idle: ConversionStatus = { state: 'idle', ahead: null, fraction: 0, bytes: null, error: null };

function endpoint(triesIn5S: number) {
  const app = fastify();
  decorateRequests(app, {
    origin: 'http://site.example',
    hashVisitor: (address) => ({ key: address, block: address }),
  });
  const tickets = createTickets({ secret: Buffer.alloc(32, 7), now: () => 0 });
  let present = idle;
  const status = vi.fn(async () => present);
  const limits = { status: createRateLimits().create('status', triesIn5S, 5) };
  statusEndpoint(app, {
    conversions: { status } as Partial<Conversions> as Conversions,
    limits: limits as Partial<ServerDependencies['limits']> as ServerDependencies['limits'],
    stopping: new AbortController().signal,
    tickets,
  });
  const hrefs = ['1', '2'].map(
    (id) =>
      `/api/files/${tickets.sign({ kind: 'sound', format: 'mp3', post: { platform: 'tiktok', id } })}/status`,
  );
  return {
    app,
    status,
    hrefs: [hrefs[0] ?? '', hrefs[1] ?? ''] as const,
    becomes(state: ConversionStatus['state']) {
      present = { ...idle, state };
    },
    async states(href: string, times: number, remoteAddress = '192.0.2.1') {
      const answers = await Promise.all(
        Array.from({ length: times }, () => app.inject({ url: href, remoteAddress })),
      );
      return answers.map(({ statusCode, body }) =>
        statusCode === 200 ? body.match(/"state":"(\w+)"/)?.[1] : body,
      );
    },
  };
}

test('asks once a second about a file that nobody requested yet, however many visitors ask', async () => {
  const { status, hrefs, states, becomes, app } = endpoint(10_000);
  const [one, other] = hrefs;
  expect(new Set(await states(one, 600))).toEqual(new Set(['idle']));
  expect(status).toHaveBeenCalledTimes(1);
  await states(other, 1);
  expect(status).toHaveBeenCalledTimes(2);
  becomes('converting');
  vi.advanceTimersByTime(1001);
  expect(await states(one, 1)).toEqual(['converting']);
  // Running conversions are queried each time.
  expect(await states(one, 1)).toEqual(['converting']);
  becomes('done');
  expect(await states(one, 1)).toEqual(['done']);
  expect(status).toHaveBeenCalledTimes(5);
  await app.close();
});

test('forgets a failed answer', async () => {
  const { status, hrefs, states, app } = endpoint(10_000);
  status.mockRejectedValueOnce(new Error('store away'));
  expect(await states(hrefs[0], 1)).toEqual([expect.stringContaining('store away')]);
  expect(await states(hrefs[0], 1)).toEqual(['idle']);
  await app.close();
});

test('limits one visitor’s questions in five seconds, for all files together, and does not affect others', async () => {
  const { hrefs, states, app } = endpoint(50);
  const answers = [...(await states(hrefs[0], 40)), ...(await states(hrefs[1], 40))];
  expect(answers.filter((answer) => answer === 'idle')).toHaveLength(50);
  expect(answers.at(-1)).toContain('rate_limited');
  expect(await states(hrefs[0], 1, '192.0.2.2')).toEqual(['idle']);
  vi.advanceTimersByTime(5001);
  expect(await states(hrefs[0], 1)).toEqual(['idle']);
  await app.close();
});
