import { expect, test } from 'vitest';
import { isTagCookie, tagCookieDomains } from './tag-cookies.ts';

test.each([
  ['_ga', true],
  ['_ga_4XYZ7', true],
  ['_gid', true],
  ['_gcl_au', true],
  ['_gat', false],
  ['x_ga', false],
  ['_gallery', false],
  ['token_id', false],
])('%s belongs to the tag: %s', (name, isOne) => {
  expect(isTagCookie(name)).toBe(isOne);
});

test.each([
  ['www.site.example', [null, 'www.site.example', 'site.example']],
  ['site.example', [null, 'site.example']],
  ['localhost', [null]],
  ['127.0.0.1', [null]],
  ['[::1]', [null]],
])('on %s its cookies may belong to %j', (host, domains) => {
  expect(tagCookieDomains(host)).toEqual(domains);
});
