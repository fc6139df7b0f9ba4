import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathWithoutPosts, withoutPosts } from './without-posts.ts';

const cases = JSON.parse(
  readFileSync(new URL('../downloader/links/cases.json', import.meta.url), 'utf8'),
) as { readonly posts: Readonly<Record<string, string>> };

test.each(Object.entries(cases.posts))('leaves nothing of %s', (link, id) => {
  for (const written of [link, encodeURIComponent(link)])
    for (const line of [withoutPosts(`no answer for ${link}, sorry`), pathWithoutPosts(`/${written}`)]) {
      expect(line).not.toContain(id);
      expect(line).not.toMatch(/some.one|dotfirst|MS4wLj/);
    }
});

test.each([
  ['leads to https://vm.tiktok.com/ZMabcdefg/', 'leads to https://vm.tiktok.com/…'],
  ['vt.tiktok.com/ZSabcdefg', 'vt.tiktok.com/…'],
  ['some.one-7301234567890123456-01.jpg: 0 of 12 bytes', '… 0 of 12 bytes'],
  ['ERROR: [TikTok] 7301234567890123456: Video not available', 'ERROR: [TikTok] … Video not available'],
  ['    at f (file:///site/node_modules/@fastify/static/index.js:12:3)', null],
  ['connect ECONNREFUSED 127.0.0.1:6379', null],
  ["ENOENT: no such file or directory, open '/data/clipferry.db'", null],
  ['more than 4000000 bytes at 1790000000000', null],
])('%s', (text, left) => {
  expect(withoutPosts(text)).toBe(left ?? text);
});

test.each([
  ['/de/contact', null],
  ['/posts/news/2', null],
  ['/a%20b', null],
  ['/%', null],
  ['/@some.one/video/7301234567890123456', '/@…/video/…'],
  ['/t/ZTabcdefg/', '/t/…/'],
  ['/ZSabcdefg', '/…'],
  ['/%5AMabcdefg/', '/…/'],
  ['/https:/www.tiktok.com/@some.one', '/https:/www.tiktok.com/…'],
])('the path %s', (path, left) => {
  expect(pathWithoutPosts(path)).toBe(left ?? path);
});

test('finds an id and a handle wherever they stand', () => {
  const text = fc.string({ maxLength: 20 });
  const id = fc.stringMatching(/^[1-9][0-9]{15,19}$/);
  fc.assert(
    fc.property(text, id, text, (before, number, behind) => {
      expect(withoutPosts(`${before}${number}${behind}`)).not.toContain(number);
      expect(withoutPosts(`${before} @a${number} ${behind}`)).not.toContain(`a${number}`);
    }),
  );
});
