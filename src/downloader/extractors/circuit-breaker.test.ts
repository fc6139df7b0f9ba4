import { expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

function create() {
  const time = { now: 1_000 };
  const breaker = new CircuitBreaker(() => time.now, { failuresToOpen: 3, openMs: 100, maxOpenMs: 300 });
  const fail = (times: number) => {
    for (let index = 0; index < times; index++) {
      expect(breaker.tryEnter()).toBe(true);
      breaker.failed(`post ${index}`, `network ${index}`);
    }
    if (breaker.isSuspectedBySeveral) breaker.open();
  };
  return { breaker, time, fail };
}

it('opens after failures in a row only', () => {
  const { breaker, fail } = create();
  fail(2);
  breaker.tryEnter();
  breaker.succeeded();
  fail(2);
  expect(breaker.state).toBe('closed');
  breaker.tryEnter();
  breaker.failed('another post', 'network');
  expect(breaker.isSuspectedBySeveral).toBe(true);
  breaker.open();
  expect(breaker.state).toBe('open');
  expect(breaker.tryEnter()).toBe(false);
  expect([breaker.successes, breaker.failures, breaker.waitMs]).toEqual([1, 5, 100]);
});

it('lets one trial in, closes when it works, waits longer each time it does not', () => {
  const { breaker, time, fail } = create();
  fail(3);
  for (const wait of [100, 200, 300, 300]) {
    expect(breaker.waitMs).toBe(wait);
    time.now += wait;
    expect(breaker.state).toBe('half-open');
    expect(breaker.tryEnter()).toBe(true);
    expect(breaker.tryEnter()).toBe(false);
    breaker.failed('post', 'network');
  }
  time.now += 300;
  breaker.tryEnter();
  breaker.succeeded();
  expect([breaker.state, breaker.waitMs]).toEqual(['closed', 0]);
  fail(2);
  expect(breaker.state).toBe('closed');
});

it('gives the trial to the next asker when the first one left', () => {
  const { breaker, time, fail } = create();
  fail(3);
  time.now += 100;
  breaker.tryEnter();
  breaker.abandoned();
  expect(breaker.tryEnter()).toBe(true);
});

it('is not prolonged by calls that began before it opened', () => {
  const { breaker, fail } = create();
  breaker.tryEnter();
  fail(3);
  breaker.failed('post', 'network');
  expect(breaker.waitMs).toBe(100);
});

it('is not suspected for one post that always fails', () => {
  const { breaker } = create();
  for (let index = 0; index < 20; index++) {
    expect(breaker.tryEnter()).toBe(true);
    breaker.failed('the same post', `network ${index}`);
  }
  expect([breaker.isSuspected, breaker.failures]).toEqual([false, 20]);
});

it('is suspected by several only when no network alone chose the posts', () => {
  const breaker = new CircuitBreaker(() => 0);
  for (let index = 0; index < 30; index++) breaker.failed(`post ${index}`, 'one');
  expect([breaker.isSuspected, breaker.isSuspectedBySeveral]).toEqual([true, false]);
  breaker.failed('their post', 'two');
  expect(breaker.isSuspectedBySeveral).toBe(false);
  breaker.failed('their other post', 'three');
  expect(breaker.isSuspectedBySeveral).toBe(true);
});
