import { expect, test } from 'vitest';
import { describeSharedCache } from '../../stores/contracts/testing/shared-cache-suite.ts';
import { createBoundedStore, createMemoryCache } from './bounded-store.ts';

describeSharedCache('in memory', async () => {
  const texts = createMemoryCache(10_000);
  return { one: texts, other: texts, close: async () => {} };
});

function textStore(maxBytes = 100_000) {
  let time = 1;
  const store = createBoundedStore<{ text: string }>({
    ...{ maxBytes, bytesOf: ({ text }) => text.length, now: () => time },
  });
  const put = (key: string, text = key, lifeMs = 1000) => store.set(key, { text }, lifeMs);
  return { store, put, wait: (ms: number) => (time += ms) };
}

test('returns a stored value until it is too old', () => {
  const { store, put, wait } = textStore();
  put('a', 'page');
  expect(store.get('a')).toEqual({ text: 'page' });
  wait(999);
  expect(store.get('a')).toEqual({ text: 'page' });
  wait(2);
  expect(store.get('a')).toBeUndefined();
  expect(store.get('b')).toBeUndefined();
});

test('drops by key, by suffix, and all', () => {
  const { store, put } = textStore();
  for (const key of ['en./', 'en./x', 'de./de/x', 'de./de/xx']) put(key);
  expect(store.drop({ keys: ['en./', 'none'] })).toBe(1);
  expect(store.drop({ suffixes: ['/x', '/y'] })).toBe(2);
  expect([...store.entries()]).toEqual([['de./de/xx', { text: 'de./de/xx' }]]);
  expect(store.drop('all')).toBe(1);
  expect(store.bytes).toBe(0);
});

test('holds no more than its bytes, whatever is stored; the least recently used goes first', () => {
  const { store, put } = textStore(100_000);
  for (let n = 0; n < 1000; n += 1) {
    put(`key-${n}`, 'x'.repeat(2000));
    store.get('key-0');
    expect(store.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(store.get('key-0')).toBeDefined();
  expect(store.get('key-1')).toBeUndefined();
  put('huge', 'x'.repeat(90_000));
  expect(store.get('huge')).toBeUndefined();
  expect(store.get('key-0')).toBeDefined();
});

test('counts the overhead of a value, its key included', () => {
  const { store, put } = textStore();
  put('k', '');
  const overhead = store.bytes - 2;
  expect(overhead).toBeGreaterThan(0);
  put('key'.repeat(100), 'x'.repeat(1000));
  expect(store.bytes).toBe(2 + 600 + 1000 + 2 * overhead);
});
