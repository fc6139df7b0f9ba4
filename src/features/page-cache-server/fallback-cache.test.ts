import { expect, test } from 'vitest';
import type { DroppedEntries, SharedCache } from '../../stores/contracts/shared-cache.ts';
import { describeSharedCache } from '../../stores/contracts/testing/shared-cache-suite.ts';
import { createMemoryCache } from '../../web/page-cache/memory-cache.ts';
import { withFallbackCache } from './fallback-cache.ts';

/** Texts on a server that can become unreachable; like real servers, it drops them all when it returns. */
function createShakyCache(): SharedCache & { isAway: boolean } {
  const inner = createMemoryCache(10_000);
  const listeners: ((dropped: DroppedEntries) => void)[] = [];
  let isAway = false;
  return {
    ...inner,
    get isAway() {
      return isAway;
    },
    set isAway(value) {
      isAway = value;
      if (!value) for (const listener of listeners) listener('all');
    },
    get generation() {
      return isAway ? null : inner.generation;
    },
    onDrop(listener) {
      listeners.push(listener);
      inner.onDrop(listener);
    },
  };
}

const text = (word: string) => ({ text: Buffer.from(word), label: '' });

describeSharedCache('with a spare place', async () => {
  const texts = withFallbackCache(createMemoryCache(10_000), createMemoryCache(10_000));
  return { one: texts, other: texts, close: async () => {} };
});

test('uses the spare place while the host is unavailable, and forgets it afterwards', async () => {
  const shaky = createShakyCache();
  const texts = withFallbackCache(shaky, createMemoryCache(10_000));
  await texts.keep('a', text('shared'), 60_000, texts.generation);
  shaky.isAway = true;
  expect(await texts.get('a')).toBeNull();
  await texts.keep('a', text('spare'), 60_000, texts.generation);
  expect((await texts.get('a'))?.text.toString()).toBe('spare');
  const before = texts.generation;
  await texts.drop({ keys: [] });
  await texts.keep('a', text('old'), 60_000, before);
  expect((await texts.get('a'))?.text.toString()).toBe('spare');
  const begunAway = texts.generation;
  shaky.isAway = false;
  expect((await texts.get('a'))?.text.toString()).toBe('shared');
  await texts.keep('a', text('old'), 60_000, begunAway);
  expect((await texts.get('a'))?.text.toString()).toBe('shared');
  shaky.isAway = true;
  expect(await texts.get('a')).toBeNull();
});
