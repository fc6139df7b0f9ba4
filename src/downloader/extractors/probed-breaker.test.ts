import { expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { Post, PostReference } from '../post/post.ts';
import type { Strategy } from './extractor.ts';
import type { BreakerChange } from './readings.ts';
import { StrategyChain } from './strategy-chain.ts';

const never = new AbortController().signal;
const post = (name: string): PostReference => ({ platform: 'tiktok', id: name });

const idleMs = 1_800_000;

/** A platform on which posts named `bad…` always fail, and which can be down as a whole. */
function platform() {
  const state = { down: false, asked: [] as string[] };
  const strategy: Strategy = {
    name: 'page',
    limitMs: 1_000,
    async read(reference) {
      state.asked.push(reference.id);
      if (state.down || reference.id.startsWith('bad')) throw new Failure('platform_changed');
      if (reference.id.startsWith('gone')) throw new Failure('post_gone');
      return { ...reference, readBy: 'page' } as Post;
    },
  };
  const time = { now: 100 };
  const changes: BreakerChange[] = [];
  const chain = new StrategyChain({
    platform: 'x',
    strategies: [strategy],
    explainer: null,
    now: () => time.now,
    onBreaker: (change) => changes.push(change),
  });
  const readPost = (name: string, network = 'network', signal = never) =>
    chain.read(post(name), signal, network).then(
      () => 'ok',
      (thrown: unknown) => (thrown instanceof Failure ? thrown.key : String(thrown)),
    );
  const readBad = async (count: number, network?: string) => {
    for (let index = 0; index < count; index++) await readPost(`bad${index}`, network);
  };
  /** Lets calls that run in parallel with those of visitors end. */
  const settle = () => new Promise((done) => setImmediate(done));
  /** Lets time pass in which nobody asks; every five seconds the strategy is tried if it is due. */
  const pass = async (forMs: number, usual: PostReference | null = null) => {
    for (const end = time.now + forMs; time.now < end; time.now += 5000)
      await chain.tryWhenDue(usual, idleMs, never);
  };
  const breaker = () => chain.states()[0]?.state;
  return { state, time, changes, readPost, readBad, settle, pass, breaker };
}

it('stays open to all, whatever posts one visitor chooses', async () => {
  const { readPost, readBad, settle, breaker } = platform();
  await readBad(30);
  await settle();
  expect(breaker()).toBe('closed');
  expect(await readPost('good')).toBe('ok');
  await readBad(30);
  await settle();
  expect(breaker()).toBe('closed');
  expect(await readPost('good again')).toBe('ok');
});

it('tries a post that worked before it closes, also when several networks choose bad posts', async () => {
  const { state, readPost, settle, breaker } = platform();
  await readPost('good');
  for (let index = 0; index < 20; index++) await readPost(`bad${index}`, `network ${index}`);
  await settle();
  expect(breaker()).toBe('closed');
  expect(state.asked.filter((name) => name === 'good').length).toBeGreaterThan(1);
  expect(await readPost('another')).toBe('ok');
});

it('closes when the post that worked fails too, even for one visitor', async () => {
  const { state, readPost, readBad, settle, breaker } = platform();
  await readPost('good');
  state.down = true;
  await readBad(5);
  await settle();
  expect(breaker()).toBe('open');
  state.asked.length = 0;
  expect(await readPost('good')).toBe('platform_blocked');
  expect(state.asked).toEqual([]);
});

it('closes for failures of several networks while no post is known to work', async () => {
  const { state, readPost, breaker } = platform();
  state.down = true;
  for (let index = 0; index < 5; index++) await readPost(`post${index}`, `network ${index % 2}`);
  expect(breaker()).toBe('open');
});

it('opens again with the post that worked, so a bad link cannot keep it closed', async () => {
  const { state, time, readPost, readBad, settle, breaker } = platform();
  await readPost('good');
  state.down = true;
  await readBad(5);
  await settle();
  state.down = false;
  time.now += 30_000;
  state.asked.length = 0;
  expect(await readPost('bad')).toBe('platform_changed');
  expect(state.asked).toEqual(['good', 'bad']);
  expect(breaker()).toBe('closed');
});

it('stays closed, for longer each time, while that post fails', async () => {
  const { state, time, readPost, readBad, settle, breaker } = platform();
  await readPost('good');
  state.down = true;
  await readBad(5);
  await settle();
  for (const wait of [30_000, 60_000, 60_000]) {
    time.now += wait - 1;
    expect(breaker()).toBe('open');
    time.now += 1;
    state.asked.length = 0;
    expect(await readPost('another')).toBe('platform_blocked');
    expect([breaker(), state.asked]).toEqual(['open', ['good']]);
  }
});

it('counts the refusal of a post that was deleted since as an answer', async () => {
  const { state, time, readPost, readBad, settle, breaker } = platform();
  await readPost('good');
  const read = state.asked;
  state.down = true;
  await readBad(5);
  await settle();
  state.down = false;
  time.now += 30_000;
  read.length = 0;
  expect(await readPost('gone')).toBe('post_gone');
  expect(breaker()).toBe('closed');
});

it('gives the trial to the next visitor when the first one leaves meanwhile', async () => {
  const { state, time, readPost, readBad, settle, breaker } = platform();
  await readPost('good');
  state.down = true;
  await readBad(5);
  await settle();
  state.down = false;
  time.now += 30_000;
  const leaving = new AbortController();
  const left = readPost('good', 'network', leaving.signal);
  leaving.abort(new Error('left'));
  expect(await left).toBe('Error: left');
  expect(breaker()).toBe('half-open');
  expect(await readPost('good')).toBe('ok');
  expect(breaker()).toBe('closed');
});

it('tries a post that another strategy read while its own has read none', async () => {
  const requested: string[] = [];
  const egress = (name: string, reads: (id: string) => boolean): Strategy => ({
    name,
    limitMs: 1_000,
    async read(reference) {
      requested.push(`${name} ${reference.id}`);
      if (!reads(reference.id)) throw new Failure('platform_changed');
      return { ...reference, readBy: name } as Post;
    },
  });
  const good = (id: string) => !id.startsWith('bad');
  const strategies = [egress('page', good), egress('player', good), egress('embed', () => false)];
  const chain = new StrategyChain({ platform: 'x', strategies, explainer: null, now: () => 0 });
  const readPost = (name: string, network: string) =>
    chain.read(post(name), never, network).catch(() => null);
  await readPost('good', 'network');
  for (let index = 0; index < 10; index++) await readPost(`bad${index}`, `network ${index}`);
  await new Promise((done) => setImmediate(done));
  expect(chain.states().map(({ state }) => state)).toEqual(['closed', 'closed', 'open']);
  expect(requested).toContain('player good');
});

it('opens after one visitor got nothing and the post that worked fails twice, and closes without a visitor', async () => {
  const { state, changes, readPost, pass, breaker } = platform();
  await readPost('good');
  state.down = true;
  await readPost('another');
  await pass(5000);
  expect(breaker()).toBe('closed');
  await pass(5000);
  expect(breaker()).toBe('open');
  await pass(300_000);
  state.down = false;
  await pass(65_000);
  expect(breaker()).toBe('closed');
  const of = { strategy: 'x/page', reads: true, all: 1 };
  expect(changes).toEqual([
    { ...of, isOpen: true, left: 0, why: 'platform_changed' },
    { ...of, isOpen: false, left: 1, why: '' },
  ]);
});

it('is tried once for each link that fails within half a minute, and stays closed when it works', async () => {
  const { state, readPost, pass, breaker } = platform();
  await readPost('good');
  state.asked.length = 0;
  for (let time = 0; time < 12; time++) {
    await readPost(`bad${time % 3}`);
    await pass(5000);
  }
  expect(breaker()).toBe('closed');
  expect(state.asked.filter((name) => name === 'good')).toHaveLength(2);
});

it('is tried by itself when nobody has asked for long, also with a post that nobody has read', async () => {
  const { state, pass, breaker } = platform();
  await pass(idleMs, post('usual'));
  expect(state.asked).toEqual([]);
  await pass(5000, post('usual'));
  expect(state.asked).toEqual(['usual']);
  state.down = true;
  await pass(idleMs + 45_000, post('usual'));
  expect([state.asked, breaker()]).toEqual([['usual', 'usual', 'usual', 'usual'], 'open']);
});
