import { expect, test } from 'vitest';
import { asFailure, causesOf, Failure } from './failures.ts';

test('a failure without details has no causes', () => {
  expect(causesOf(new Failure('platform_failed'))).toBe('');
  expect(causesOf(new Failure('platform_failed', { note: 'HTTP 502' }))).toBe('HTTP 502');
});

test('every cause is named, the nearest first', () => {
  const proxy = new Error('Proxy response (502) when HTTP Tunneling');
  const fetching = new TypeError('fetch failed', { cause: proxy });
  expect(causesOf(new Failure('platform_failed', { note: 'tried twice', cause: fetching }))).toBe(
    'tried twice; TypeError: fetch failed; Error: Proxy response (502) when HTTP Tunneling',
  );
  expect(causesOf(asFailure('a text', 'post_unreadable'))).toBe('a text');
  const inner = new Failure('platform_failed', { cause: new Failure('platform_timeout', { note: 'slow' }) });
  expect(causesOf(inner)).toBe('slow');
});

test('an error without a message is named by its code, several by the first', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  const all = new AggregateError([refused, new Error('other')]);
  expect(causesOf(new Failure('platform_failed', { cause: all }))).toBe(
    'AggregateError; Error (ECONNREFUSED)',
  );
});

test('what causes itself ends, and is short', () => {
  const circle = new Error('x'.repeat(1000));
  circle.cause = circle;
  expect(causesOf(new Failure('internal', { cause: circle }))).toHaveLength(400);
});
