import { describe, expect, it } from 'vitest';
import { asFailure, Failure } from '../../failures/failures.ts';
import type { Post } from '../post/post.ts';
import type { Strategy } from './extractor.ts';
import { StrategyChain } from './strategy-chain.ts';
import { type UnreadableObserver, UnreadablePosts, UnreadableResponse } from './unreadable.ts';

const never = new AbortController().signal;

/** A platform on which one strategy reads posts by their name, and another reads only those that the first can. */
function platform() {
  const time = { now: 0 };
  const state = { changed: false };
  const reported: unknown[] = [];
  const observer: UnreadableObserver = {
    answer: ({ strategy, shape }) => reported.push(`${strategy} ${shape}`),
    embedCompared: () => {},
    post: ({ id, strategy, shape }) => reported.push(`${id}: ${strategy} ${shape}`),
  };
  const strategies: Strategy[] = [
    {
      name: 'page',
      limitMs: 1_000,
      async read(reference) {
        if (state.changed) throw new UnreadableResponse('page');
        if (reference.id.startsWith('strange')) throw new UnreadableResponse('media', { note: 'no video' });
        if (reference.id.startsWith('bug')) throw new TypeError('x of undefined');
        if (reference.id.startsWith('slow')) throw new Failure('platform_timeout');
        return { ...reference, readBy: 'page' } as Post;
      },
    },
    {
      name: 'player',
      limitMs: 1_000,
      async read() {
        throw new UnreadableResponse('item');
      },
    },
  ];
  const chain = new StrategyChain({
    platform: 'x',
    strategies,
    explainer: null,
    unreadable: observer,
    now: () => time.now,
  });
  const readPost = (id: string) =>
    chain.read({ platform: 'tiktok', id }, never).then(
      () => 'ok',
      (thrown: unknown) => asFailure(thrown).key,
    );
  return { readPost, time, state, reported };
}

describe('unreadable answers', () => {
  it('count against the post, however often it is requested', async () => {
    const { readPost, reported } = platform();
    for (let times = 0; times < 20; times++) expect(await readPost('strange')).toBe('post_unreadable');
    expect(reported.slice(0, 3)).toEqual(['x/page media', 'x/player item', 'strange: x/page media']);
    expect(await readPost('bug')).toBe('post_unreadable');
    expect(reported).toContain('bug: x/page other');
  });

  it('count against the platform when several posts in a row are unreadable to all strategies', async () => {
    const { readPost, state, reported } = platform();
    state.changed = true;
    const keys = [];
    for (const id of ['1', '2', '3', '4', '5']) keys.push(await readPost(id));
    expect(keys).toEqual([...Array(4).fill('post_unreadable'), 'platform_changed']);
    expect(reported).not.toContain('5: x/page page');
    // A strategy that reads posts again is evidence for the platform.
    state.changed = false;
    expect(await readPost('6')).toBe('ok');
    expect(await readPost('strange')).toBe('post_unreadable');
  });

  it('do not count against the platform while other posts are read, whatever a strategy that reads none says', async () => {
    const { readPost } = platform();
    for (let number = 0; number < 12; number++) {
      expect(await readPost(`strange ${number}`)).toBe('post_unreadable');
      expect(await readPost(`good ${number}`)).toBe('ok');
    }
  });

  it('rank below an error of the platform', async () => {
    const { readPost, reported } = platform();
    expect(await readPost('slow')).toBe('platform_timeout');
    expect(reported).toEqual(['x/player item']);
  });
});

it('are counted over different posts within ten minutes', () => {
  const time = { now: 0 };
  const posts = new UnreadablePosts(() => time.now);
  expect(['a', 'b', 'c', 'd', 'd', 'a'].map((id) => posts.add(id))).toEqual(Array(6).fill(false));
  time.now = 600_001;
  expect(['e', 'f', 'g', 'h'].map((id) => posts.add(id))).toEqual(Array(4).fill(false));
  expect(posts.add('i')).toBe(true);
  posts.clear();
  expect(posts.add('j')).toBe(false);
});
