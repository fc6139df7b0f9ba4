import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { PageResponse } from '../http/responses/response.ts';
import { createPageCache } from './cached-pages.ts';
import { dropPages } from './page-cache.ts';

const page = (text: string): PageResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from(text),
});
const long = page('<p>words</p>'.repeat(500));

test('stores a cached page compressed, in both encodings', async () => {
  const cache = createPageCache({ maxBytes: 1e6 });
  const sent = await cache.begin()('en./', long, 60);
  const kept = cache.peek('en./');
  expect(kept).toBe(sent);
  expect(kept?.body.length).toBe(0);
  expect(brotliDecompressSync(kept?.encoded?.br ?? '').equals(long.body)).toBe(true);
  expect(gunzipSync(kept?.encoded?.gzip ?? '').equals(long.body)).toBe(true);
  expect(cache.peek('en./other')).toBeUndefined();
});

test('another content, or the same with other headers, has another name', async () => {
  const cache = createPageCache({ maxBytes: 1e6 });
  const keep = cache.begin();
  const answers = [long, page('other'), { ...long, headers: { 'content-type': 'text/plain' } }, long];
  const tags = await Promise.all(answers.map(async (one, n) => (await keep(`${n}`, one, 60)).encoded?.tag));
  expect(new Set(tags).size).toBe(3);
});

test('a page expires', async () => {
  let time = 1;
  const cache = createPageCache({ maxBytes: 1e6, now: () => time });
  await cache.begin()('en./', long, 2);
  time += 1999;
  expect(cache.peek('en./')).toBeDefined();
  time += 2;
  expect(cache.peek('en./')).toBeUndefined();
  // It stays for an hour longer, in case it cannot be rendered, unless it is dropped.
  expect(cache.stale('en./')).toBeDefined();
  time += 3_599_000;
  expect(cache.stale('en./')).toBeDefined();
  time += 1001;
  expect(cache.stale('en./')).toBeUndefined();
  await cache.begin()('en./', long, 2);
  time += 3000;
  await dropPages(cache, () => true);
  expect(cache.stale('en./')).toBeUndefined();
});

test('dropping a page drops all its forms and no other page', async () => {
  const cache = createPageCache({ maxBytes: 1e6 });
  const paths = ['/', '/_.data', '/posts', '/posts/', '/posts.data', '/de/posts', '/posts/7', '/my-posts'];
  for (const path of paths) await cache.begin()(`en.desktop${path}`, long, 60);
  await cache.begin()('en.mobile/posts', long, 60);
  await dropPages(cache, (path) => path === '/posts');
  const left = (await cache.operations.keys('pages')).toSorted();
  expect(left).toEqual([
    'en.desktop/',
    'en.desktop/_.data',
    'en.desktop/de/posts',
    'en.desktop/my-posts',
    'en.desktop/posts/7',
  ]);
  await dropPages(cache, (path) => path === '/');
  expect(await cache.operations.keys('pages')).not.toContain('en.desktop/_.data');
});

test('does not store work that began before a drop', async () => {
  const cache = createPageCache({ maxBytes: 1e6 });
  const keep = cache.begin();
  await dropPages(cache, () => false);
  expect((await keep('en./contact', long, 60)).status).toBe(200);
  expect(cache.peek('en./contact')).toBeUndefined();
  await cache.begin()('en./contact', long, 60);
  expect(cache.peek('en./contact')).toBeDefined();
});
