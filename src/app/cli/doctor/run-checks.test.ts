import { expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../process/environment.ts';
import type { Check } from '../../../server/commands/checks.ts';
import { readConfigurationFile } from '../../parts/read-site-configuration.ts';
import { runChecks } from './run-checks.ts';
import { createRedactor } from './secrets.ts';

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
};
const redact = createRedactor(environment);
const ok: Check = { name: 'ok', run: async () => [{ level: 'ok', what: 'right' }] };

test('findings keep the order of the checks, whichever check ends first', async () => {
  let release = () => {};
  const slow: Check = {
    name: 'slow',
    async run() {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return [{ level: 'warning', what: 'late' }];
    },
  };
  const unused: Check = { name: 'unused', run: async () => [] };
  const running = runChecks([slow, unused, ok], context, redact);
  release();
  expect(await running).toEqual([
    { name: 'slow', level: 'warning', what: 'late' },
    { name: 'ok', level: 'ok', what: 'right' },
  ]);
});

test('a check that fails becomes a finding with its full message', async () => {
  const failing: Check = {
    name: 'failing',
    async run() {
      throw new Error('no', { cause: new AggregateError([new Error('one'), new Error('two')]) });
    },
  };
  expect(await runChecks([failing, ok], context, redact)).toEqual([
    { name: 'failing', level: 'error', what: 'no: one; two' },
    { name: 'ok', level: 'ok', what: 'right' },
  ]);
});

test('a check that hangs stops neither the other checks nor the program', async () => {
  vi.useFakeTimers();
  let aborted = false;
  const hanging: Check = {
    name: 'hanging',
    limitMs: 2000,
    run: ({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise(() => {});
    },
  };
  const running = runChecks([hanging, ok], context, redact);
  await vi.advanceTimersByTimeAsync(3000);
  vi.useRealTimers();
  expect((await running)[0]).toEqual({ name: 'hanging', level: 'error', what: 'no result within 2 s' });
  expect(aborted).toBe(true);
});

test('prints no secret, whichever check quotes it', async () => {
  const quoting: Check = {
    name: 'quoting',
    run: async () => [
      {
        level: 'error',
        of: 'socks5://user:proxy:word@proxy.example',
        what: `refused p@ssword, p%40ssword, redis-word and ${environment.SECRET_KEY}`,
        todo: 'not redis-word',
      },
    ],
  };
  expect(await runChecks([quoting], context, redact)).toEqual([
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
  await runChecks([ok], context, redact);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
