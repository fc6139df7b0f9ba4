import { expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../process/environment.ts';
import type { Check } from '../../../server/commands/checks.ts';
import { readConfigurationFile } from '../../parts/read-site-configuration.ts';
import { runChecks } from './run-checks.ts';

const environment = readEnvironment({
  SECRET_KEY: 'a key of at least 32 characters!!',
  DATABASE_URL: 'postgres://me:p%40ssword@db/name',
  REDIS_URL: 'redis://:redis-word@cache:6379/0',
  OUTBOUND_PROXIES: 'socks5://user:proxy%3Aword@proxy.example:1080',
});
const context = {
  environment,
  configuration: readConfigurationFile('site.config.json'),
  origin: 'https://clipferry.example',
  post: '',
  mayTell: false,
};
const ok: Check = { name: 'ok', todo: 'advice', run: async () => [{ level: 'ok', what: 'right' }] };

test('findings keep the order of the checks, whichever check ends first', async () => {
  let release = () => {};
  const slow: Check = {
    name: 'slow',
    todo: 'advice',
    async run() {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return [{ level: 'warning', what: 'late' }];
    },
  };
  const unused: Check = { name: 'unused', todo: 'advice', run: async () => [] };
  const running = runChecks([slow, unused, ok], context);
  release();
  expect(await running).toEqual([
    { name: 'slow', level: 'warning', what: 'late' },
    { name: 'ok', level: 'ok', what: 'right' },
  ]);
});

test('a check that fails becomes a finding with its full message and the advice of the check', async () => {
  const failing: Check = {
    name: 'failing',
    todo: 'advice',
    async run() {
      throw new Error('no', { cause: new AggregateError([new Error('one'), new Error('two')]) });
    },
  };
  expect(await runChecks([failing, ok], context)).toEqual([
    { name: 'failing', level: 'error', what: 'no: one; two', todo: 'advice' },
    { name: 'ok', level: 'ok', what: 'right' },
  ]);
});

test('a check that hangs stops neither the other checks nor the program', async () => {
  vi.useFakeTimers();
  let aborted = false;
  const hanging: Check = {
    name: 'hanging',
    todo: 'advice',
    limitMs: 2000,
    run: ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    },
  };
  const running = runChecks([hanging, ok], context);
  await vi.advanceTimersByTimeAsync(3000);
  vi.useRealTimers();
  expect((await running)[0]).toEqual({
    name: 'hanging',
    level: 'error',
    what: 'no result within 2 s',
    todo: 'advice',
  });
  expect(aborted).toBe(true);
});

test('prints no secret, whichever check quotes it', async () => {
  const quoting: Check = {
    name: 'quoting',
    todo: 'advice',
    run: async () => [
      {
        level: 'error',
        of: 'socks5://user:proxy:word@proxy.example',
        what: `refused p@ssword, p%40ssword, redis-word and ${environment.SECRET_KEY}`,
        todo: 'not redis-word',
      },
    ],
  };
  expect(await runChecks([quoting], context)).toEqual([
    {
      name: 'quoting',
      level: 'error',
      of: 'socks5://user:…@proxy.example',
      what: 'refused …, …, … and …',
      todo: 'not …',
    },
  ]);
});

test('leaves no timer that keeps the program running', async () => {
  vi.useFakeTimers();
  await runChecks([ok], context);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
