import { expect, it } from 'vitest';
import { MemorySharedBreakers } from '../../stores/contracts/testing/memory-shared-breakers.ts';
import { type BreakerCall, CircuitBreaker } from './circuit-breaker.ts';

/** Makes a call that the breaker admits. */
async function enter(breaker: CircuitBreaker): Promise<BreakerCall> {
  const call = await breaker.tryEnter();
  if (call === null) throw new Error('not let in');
  return call;
}

function create() {
  const time = { now: 1_000 };
  const breaker = new CircuitBreaker(() => time.now, { failuresToOpen: 3, openMs: 100, maxOpenMs: 300 });
  const fail = async (times: number) => {
    for (let index = 0; index < times; index++) {
      breaker.failed(await enter(breaker), `post ${index}`, `network ${index}`);
    }
    if (breaker.isSuspectedBySeveral) breaker.open();
  };
  return { breaker, time, fail };
}

it('opens only after failures in a row', async () => {
  const { breaker, fail } = create();
  await fail(2);
  breaker.succeeded(await enter(breaker));
  await fail(2);
  expect(breaker.state).toBe('closed');
  breaker.failed(await enter(breaker), 'another post', 'network');
  expect(breaker.isSuspectedBySeveral).toBe(true);
  breaker.open();
  expect(breaker.state).toBe('open');
  expect(await breaker.tryEnter()).toBeNull();
  expect([breaker.successes, breaker.failures, breaker.waitMs]).toEqual([1, 5, 100]);
});

it('lets one trial in, closes when it succeeds, and waits longer each time it fails', async () => {
  const { breaker, time, fail } = create();
  await fail(3);
  for (const wait of [100, 200, 300, 300]) {
    expect(breaker.waitMs).toBe(wait);
    time.now += wait;
    expect(breaker.state).toBe('half-open');
    const trial = await enter(breaker);
    expect(await breaker.tryEnter()).toBeNull();
    breaker.failed(trial, 'post', 'network');
  }
  time.now += 300;
  breaker.succeeded(await enter(breaker));
  expect([breaker.state, breaker.waitMs]).toEqual(['closed', 0]);
  await fail(2);
  expect(breaker.state).toBe('closed');
});

it('gives the trial to the next caller when the first one leaves', async () => {
  const { breaker, time, fail } = create();
  await fail(3);
  time.now += 100;
  breaker.abandoned(await enter(breaker));
  await enter(breaker);
});

it('is not prolonged by calls that began before it opened', async () => {
  const { breaker, fail } = create();
  const early = await enter(breaker);
  await fail(3);
  breaker.failed(early, 'post', 'network');
  expect(breaker.waitMs).toBe(100);
});

it('follows only the trial while it runs, and not calls that began before', async () => {
  const { breaker, time, fail } = create();
  const early = [await enter(breaker), await enter(breaker), await enter(breaker), await enter(breaker)];
  const [one, two, three, four] = early as [BreakerCall, BreakerCall, BreakerCall, BreakerCall];
  await fail(3);
  time.now += 100;
  const trial = await enter(breaker);
  breaker.failed(one, 'post', 'network');
  expect([breaker.state, await breaker.tryEnter()]).toEqual(['half-open', null]);
  breaker.succeeded(two);
  breaker.abandoned(three);
  expect([breaker.state, await breaker.tryEnter()]).toEqual(['half-open', null]);
  breaker.failed(trial, 'post', 'network');
  expect(breaker.waitMs).toBe(200);
  time.now += 200;
  breaker.succeeded(await enter(breaker));
  // Nor does it count as proof that the strategy works again.
  await fail(2);
  breaker.failed(four, 'a third post', 'another network');
  expect([breaker.state, breaker.isSuspected]).toEqual(['closed', false]);
});

it('is not suspected because of one post that always fails', async () => {
  const { breaker } = create();
  for (let index = 0; index < 20; index++) {
    breaker.failed(await enter(breaker), 'the same post', `network ${index}`);
  }
  expect([breaker.isSuspected, breaker.failures]).toEqual([false, 20]);
});

it('is suspected by several visitors only when no single network chose the posts', async () => {
  const breaker = new CircuitBreaker(() => 0);
  for (let index = 0; index < 30; index++) breaker.failed(breaker.beside(), `post ${index}`, 'one');
  expect([breaker.isSuspected, breaker.isSuspectedBySeveral]).toEqual([true, false]);
  breaker.failed(breaker.beside(), 'their post', 'two');
  expect(breaker.isSuspectedBySeveral).toBe(false);
  breaker.failed(breaker.beside(), 'their other post', 'three');
  expect(breaker.isSuspectedBySeveral).toBe(true);
});

it('opens, tries once and closes together with the breakers of other instances', async () => {
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
  expect(await other.tryEnter()).toBeNull();

  time.now += 100;
  expect([one.state, other.state]).toEqual(['half-open', 'half-open']);
  const trial = await enter(other);
  expect(await one.tryEnter()).toBeNull();
  other.failed(trial, 'post', 'network');
  expect([one.waitMs, other.waitMs]).toEqual([200, 200]);

  time.now += 200;
  const another = await enter(one);
  expect(await other.tryEnter()).toBeNull();
  one.succeeded(another);
  expect([one.state, other.state]).toEqual(['closed', 'closed']);

  // A request that began before another instance opened or closed it proves nothing afterwards.
  const early = other.beside();
  one.open();
  const late = other.beside();
  other.succeeded(early);
  expect([one.state, other.state]).toEqual(['open', 'open']);
  time.now += 100;
  one.succeeded(await enter(one));
  for (const post of ['a', 'b', 'c', 'd', 'e', 'f']) other.failed(post < 'd' ? early : late, post, post);
  expect(other.isSuspected).toBe(false);

  // A caller that leaves a trial frees it for the others, as does a trial that never ends.
  one.open();
  time.now += 100;
  one.abandoned(await enter(one));
  await enter(other);
  time.now += 51;
  await enter(one);
});
