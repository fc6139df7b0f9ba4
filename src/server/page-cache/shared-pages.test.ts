import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { SharedCache } from '../../stores/contracts/shared-cache.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { createMemoryCache } from './bounded-store.ts';
import { createPageCache } from './cached-pages.ts';
import { dropPages } from './page-cache.ts';
import { createPageSigner } from './signed-page.ts';

const page = (words: string): PageResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html', 'content-language': 'en' },
  body: Buffer.from(`<p>${words}</p>`.repeat(200)),
});

let time: number;
let texts: SharedCache;
beforeEach(() => {
  time = Date.UTC(2026, 10, 20);
  texts = createMemoryCache(1e6, () => time);
});

const instance = (secret = 1, shared = texts) => {
  const now = () => time;
  const signer = createPageSigner({
    secret: new Uint8Array(32).fill(secret),
    domain: undefined,
    version: '1',
    now,
  });
  return createPageCache({ shared: { texts: shared, signer }, maxBytes: 1e6, now, wallNow: now });
};

test('another instance gets what one made in all its forms, and then keeps it at hand', async () => {
  const [one, other] = [instance(), instance()];
  const made = await one.begin()('en./', page('hello'), 60);
  expect(one.peek('en./')).toBe(made);
  expect(other.peek('en./')).toBeUndefined();
  const found = await other.find('en./');
  expect(found).toEqual(made);
  expect(gunzipSync(found?.encoded?.gzip ?? '').equals(page('hello').body)).toBe(true);
  expect(brotliDecompressSync(found?.encoded?.br ?? '').equals(page('hello').body)).toBe(true);
  expect(other.peek('en./')).toEqual(made);
  expect(await other.find('en./other')).toBeNull();
});

test('a page has the same age on every instance', async () => {
  const [one, other] = [instance(), instance()];
  await one.begin()('en./', page('hello'), 60);
  time += 50_000;
  await other.find('en./');
  time += 9000;
  expect(other.peek('en./')).toBeDefined();
  time += 2000;
  expect(other.peek('en./')).toBeUndefined();
  expect(await other.find('en./')).toBeNull();
  expect(other.stale('en./')).toBeDefined();
});

test('a drop on one instance is a drop on all', async () => {
  const [one, other] = [instance(), instance()];
  for (const key of ['en./', 'en./posts', 'de./posts']) {
    await one.begin()(key, page(key), 60);
    await other.find(key);
  }
  await dropPages(one, (path) => path === '/posts');
  expect(other.peek('en./posts')).toBeUndefined();
  expect(await other.find('en./posts')).toBeNull();
  expect(other.peek('en./')).toBeDefined();
  await other.operations.deleteBySuffix(['/']);
  expect(one.peek('en./')).toBeUndefined();
  await one.begin()('en./', page('again'), 60);
  expect(await one.operations.reset()).toBe(1);
  expect(await other.find('en./')).toBeNull();
});

test('stores no work anywhere that began before a drop, also when another instance began it', async () => {
  const [one, other] = [instance(), instance()];
  const keep = one.begin();
  await dropPages(other, () => false);
  await keep('en./', page('old'), 60);
  expect(one.peek('en./')).toBeUndefined();
  expect(await other.find('en./')).toBeNull();
});

test('does not show a page that was found before a drop and arrives after it', async () => {
  const one = instance();
  await one.begin()('en./', page('old'), 60);
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow: SharedCache = {
    ...texts,
    get generation() {
      return texts.generation;
    },
    async get(key) {
      const found = await texts.get(key);
      await promise;
      return found;
    },
  };
  const other = instance(1, slow);
  const finding = other.find('en./');
  await one.operations.reset();
  resolve();
  expect(await finding).toBeNull();
  expect(other.peek('en./')).toBeUndefined();
});

test('no instance shows a page of one whose clock is far ahead for longer than a day', async () => {
  const rightTime = time;
  time += 365 * 86_400_000;
  await instance().begin()('en./', page('early'), 60);
  const ahead = await texts.get('en./');
  time = rightTime;
  await texts.keep('en./', ahead ?? { text: Buffer.alloc(0), label: '' }, 60_000, texts.generation);
  expect(await texts.get('en./')).not.toBeNull();
  expect(await instance().find('en./')).toBeNull();
});

test('nobody else can store a page there', async () => {
  await instance(2).begin()('en./', page('forged'), 60);
  expect(await instance().find('en./')).toBeNull();
});
