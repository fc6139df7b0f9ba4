import { afterEach, describe, expect, it, vi } from 'vitest';
import { Failure, type FailureKey } from '../../failures/failures.ts';
import type { Post, PostReference } from '../post/post.ts';
import { type Strategy, UncertainRefusal, VagueRefusal } from './extractor.ts';
import { type Explainer, StrategyChain } from './strategy-chain.ts';

const reference: PostReference = { platform: 'tiktok', id: '7301234567890123456' };
const post = { ...reference, readBy: 'x' } as Post;
const never = new AbortController().signal;
const doubt = (key: FailureKey) => new UncertainRefusal(key);
const nothing = () => new VagueRefusal('post_gone');
const platformError = (key: FailureKey) => new Failure(key);

type Outcome = Post | Error;

function chainOf(outcomes: Outcome[], explained?: Failure) {
  const calls: string[] = [];
  const strategies = outcomes.map(
    (outcome, index): Strategy => ({
      name: `s${index}`,
      limitMs: 1_000,
      async read() {
        calls.push(`s${index}`);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    }),
  );
  const explainer: Explainer | null =
    explained === undefined
      ? null
      : {
          name: 'why',
          limitMs: 1_000,
          async explain() {
            calls.push('why');
            return explained;
          },
        };
  const time = { now: 1_000 };
  return {
    chain: new StrategyChain({ platform: 'x', strategies, explainer, now: () => time.now }),
    calls,
    time,
  };
}

async function keyOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'ok',
    (thrown: unknown) => (thrown instanceof Failure ? thrown.key : String(thrown)),
  );
}

afterEach(() => void vi.useRealTimers());

describe('order', () => {
  const rows: [outcomes: Outcome[], result: string, asked: number][] = [
    [[post, post], 'ok', 1],
    [[platformError('platform_blocked'), post], 'ok', 2],
    [[new TypeError('x of undefined'), post], 'ok', 2],
    [[platformError('post_private'), post], 'post_private', 1],
    [[doubt('post_gone'), post, post], 'ok', 2],
    [[doubt('post_gone'), platformError('post_private'), post], 'post_private', 2],
    [[doubt('post_gone'), doubt('post_region_blocked'), post], 'post_region_blocked', 2],
    [[doubt('post_region_blocked'), doubt('post_gone'), post], 'post_region_blocked', 2],
    [[doubt('post_region_blocked'), platformError('platform_blocked'), post], 'post_region_blocked', 2],
    [[platformError('platform_blocked'), doubt('post_gone'), doubt('post_gone'), post], 'post_gone', 3],
    // A failure outweighs a later "nothing here", and a reason outweighs both.
    [[platformError('platform_failed'), nothing(), nothing()], 'platform_failed', 3],
    [[platformError('platform_changed'), nothing(), nothing(), post], 'ok', 4],
    [[platformError('platform_blocked'), nothing(), platformError('post_private'), post], 'post_private', 3],
    [[platformError('platform_blocked'), nothing(), doubt('post_gone'), post], 'post_gone', 3],
    [[nothing(), platformError('platform_blocked'), post], 'post_gone', 2],
    [[nothing(), nothing(), post], 'post_gone', 2],
    // Another strategy may have a post that one restricts to adults.
    [[doubt('post_age_restricted'), post], 'ok', 2],
    [[doubt('post_age_restricted'), nothing(), post], 'post_age_restricted', 2],
    [
      [
        platformError('platform_changed'),
        platformError('platform_timeout'),
        platformError('platform_blocked'),
      ],
      'platform_blocked',
      3,
    ],
    [[platformError('platform_changed'), platformError('platform_failed')], 'platform_failed', 2],
  ];
  it.each(rows)('%s gives %s', async (outcomes, result, asked) => {
    const { chain, calls } = chainOf(outcomes);
    expect(await keyOf(chain.read(reference, never))).toBe(result);
    expect(calls).toHaveLength(asked);
  });
});

describe('a picture post that one strategy reads without pictures', () => {
  const soundAlone = { ...post, kind: 'photos', pictures: [], readBy: 'sound' } as unknown as Post;
  const slide = { source: { urls: ['https://v16m.tiktokcdn.com/x'] }, motion: null };
  const whole = { ...soundAlone, pictures: [slide], readBy: 'whole' } as unknown as Post;

  it.each<[string, Outcome[], string, number]>([
    ['the pictures where the next way has them', [soundAlone, whole, post], 'whole', 2],
    ['its sound where the next way has no more', [soundAlone, soundAlone, whole], 'sound', 2],
    ['its sound where the next way refuses', [soundAlone, nothing(), whole], 'sound', 2],
    [
      'its sound where the next way is in trouble',
      [soundAlone, platformError('platform_blocked'), whole],
      'sound',
      2,
    ],
    ['its sound where there is no other way', [platformError('platform_blocked'), soundAlone], 'sound', 2],
  ])('gives %s', async (_, outcomes, readBy, asked) => {
    const { chain, calls } = chainOf(outcomes);
    expect((await chain.read(reference, never)).readBy).toBe(readBy);
    expect(calls).toHaveLength(asked);
  });
});

it('looks for the reason of an uncertain refusal, and keeps the refusal when there is no answer', async () => {
  const known = chainOf([doubt('post_gone')], platformError('post_region_blocked'));
  expect(await keyOf(known.chain.read(reference, never))).toBe('post_region_blocked');
  const unknown = chainOf([doubt('post_gone')], platformError('platform_failed'));
  expect(await keyOf(unknown.chain.read(reference, never))).toBe('post_gone');
  const certain = chainOf([platformError('post_gone')], platformError('post_region_blocked'));
  expect(await keyOf(certain.chain.read(reference, never))).toBe('post_gone');
  expect(certain.calls).toEqual(['s0']);
});

it('skips a strategy whose breaker is open, and says so when all are open', async () => {
  const { chain, calls, time } = chainOf([
    platformError('platform_changed'),
    platformError('platform_blocked'),
  ]);
  for (let index = 0; index < 5; index++) {
    await keyOf(chain.read({ ...reference, id: `730123456789012345${index}` }, never, `network ${index}`));
  }
  calls.length = 0;
  const failure: Failure = await chain.read(reference, never).catch((thrown) => thrown);
  expect([failure.key, failure.retryAfterS, calls]).toEqual(['platform_blocked', 30, []]);
  expect(chain.states()).toEqual([
    { name: 'x/s0', state: 'open', reads: true, successes: 0, failures: 5 },
    { name: 'x/s1', state: 'open', reads: true, successes: 0, failures: 5 },
  ]);
  time.now += 30_000;
  await keyOf(chain.read(reference, never));
  expect(calls).toEqual(['s0', 's1']);
});

it('counts refusals about the post as answers', async () => {
  const { chain } = chainOf([platformError('post_private')]);
  for (let index = 0; index < 6; index++) await keyOf(chain.read(reference, never));
  expect(chain.states()).toEqual([{ name: 'x/s0', state: 'closed', reads: true, successes: 6, failures: 0 }]);
});

it('gives the next strategy its chance when one does not answer in time', async () => {
  vi.useFakeTimers();
  const signals: AbortSignal[] = [];
  const stalled: Strategy = {
    name: 'stalled',
    limitMs: 500,
    read: (_, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  };
  const quick: Strategy = { name: 'quick', limitMs: 500, read: async () => post };
  const chain = new StrategyChain({
    platform: 'x',
    strategies: [stalled, quick],
    explainer: null,
    now: Date.now,
  });
  const reading = chain.read(reference, never);
  await vi.advanceTimersByTimeAsync(500);
  expect(await reading).toBe(post);
  expect(signals[0]?.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('stops with the caller, and counts that as nobody’s failure', async () => {
  const caller = new AbortController();
  const waiting: Strategy = { name: 'waiting', limitMs: 10_000, read: () => new Promise(() => {}) };
  const chain = new StrategyChain({ platform: 'x', strategies: [waiting], explainer: null, now: Date.now });
  const reading = chain.read(reference, caller.signal);
  caller.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
  expect(chain.states()).toEqual([
    { name: 'x/waiting', state: 'closed', reads: true, successes: 0, failures: 0 },
  ]);
});
