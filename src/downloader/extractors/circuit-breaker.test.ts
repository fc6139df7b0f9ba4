import { expect, it } from 'vitest';
import { MemorySharedBreakers } from '../../stores/contracts/testing/memory-shared-breakers.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

function create() {
  const time = { now: 1_000 };
  const breaker = new CircuitBreaker(() => time.now, { failuresToOpen: 3, openMs: 100, maxOpenMs: 300 });
  const fail = async (times: number) => {
    for (let index = 0; index < times; index++) {
      expect(await breaker.tryEnter()).toBe(true);
      breaker.failed(`post ${index}`, `network ${index}`);
    }
    if (breaker.isSuspectedBySeveral) breaker.open();
  };
  return { breaker, time, fail };
}

it('opens after failures in a row only', async () => {
  const { breaker, fail } = create();
  await fail(2);
  await breaker.tryEnter();
  breaker.succeeded();
  await fail(2);
  expect(breaker.state).toBe('closed');
  await breaker.tryEnter();
  breaker.failed('another post', 'network');
  expect(breaker.isSuspectedBySeveral).toBe(true);
  breaker.open();
  expect(breaker.state).toBe('open');
  expect(await breaker.tryEnter()).toBe(false);
  expect([breaker.successes, breaker.failures, breaker.waitMs]).toEqual([1, 5, 100]);
});

it('lets one trial in, closes when it works, waits longer each time it does not', async () => {
  const { breaker, time, fail } = create();
  await fail(3);
  for (const wait of [100, 200, 300, 300]) {
    expect(breaker.waitMs).toBe(wait);
    time.now += wait;
    expect(breaker.state).toBe('half-open');
    expect(await breaker.tryEnter()).toBe(true);
    expect(await breaker.tryEnter()).toBe(false);
    breaker.failed('post', 'network');
  }
  time.now += 300;
  await breaker.tryEnter();
  breaker.succeeded();
  expect([breaker.state, breaker.waitMs]).toEqual(['closed', 0]);
  await fail(2);
  expect(breaker.state).toBe('closed');
});

it('gives the trial to the next caller when the first one left', async () => {
  const { breaker, time, fail } = create();
  await fail(3);
  time.now += 100;
  await breaker.tryEnter();
  breaker.abandoned();
  expect(await breaker.tryEnter()).toBe(true);
});

it('is not prolonged by calls that began before it opened', async () => {
  const { breaker, fail } = create();
  await breaker.tryEnter();
  await fail(3);
  breaker.failed('post', 'network');
  expect(breaker.waitMs).toBe(100);
});

it('is not suspected for one post that always fails', async () => {
  const { breaker } = create();
  for (let index = 0; index < 20; index++) {
    expect(await breaker.tryEnter()).toBe(true);
    breaker.failed('the same post', `network ${index}`);
  }
  expect([breaker.isSuspected, breaker.failures]).toEqual([false, 20]);
});

it('is suspected by several only when no network alone chose the posts', async () => {
  const breaker = new CircuitBreaker(() => 0);
  for (let index = 0; index < 30; index++) breaker.failed(`post ${index}`, 'one');
  expect([breaker.isSuspected, breaker.isSuspectedBySeveral]).toEqual([true, false]);
  breaker.failed('their post', 'two');
  expect(breaker.isSuspectedBySeveral).toBe(false);
  breaker.failed('their other post', 'three');
  expect(breaker.isSuspectedBySeveral).toBe(true);
});

it('opens, is tried once and closes together with those of other instances', async () => {
  const time = { now: 1_000 };
  const shared = new MemorySharedBreakers(() => time.now);
  const [one, other] = [shared.instance(), shared.instance()].map(
    (breakers) =>
      new CircuitBreaker(
        () => time.now,
        { failuresToOpen: 3, openMs: 100, maxOpenMs: 300 },
        { breakers, name: 'page', trialMs: 50 },
      ),
  );
  if (one === undefined || other === undefined) throw new Error('two are needed');
  one.open();
  expect([one.state, other.state, other.waitMs]).toEqual(['open', 'open', 100]);
  expect(await other.tryEnter()).toBe(false);

  time.now += 100;
  expect([one.state, other.state]).toEqual(['half-open', 'half-open']);
  expect(await other.tryEnter()).toBe(true);
  expect(await one.tryEnter()).toBe(false);
  other.failed('post', 'network');
  expect([one.waitMs, other.waitMs]).toEqual([200, 200]);

  time.now += 200;
  expect(await one.tryEnter()).toBe(true);
  expect(await other.tryEnter()).toBe(false);
  one.succeeded();
  expect([one.state, other.state]).toEqual(['closed', 'closed']);

  // Who has left the trial leaves it to the others, and one that never ends does, too.
  one.open();
  time.now += 100;
  expect(await one.tryEnter()).toBe(true);
  one.abandoned();
  expect(await other.tryEnter()).toBe(true);
  time.now += 51;
  expect(await one.tryEnter()).toBe(true);
});
