import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCookie, writeCookie } from './cookies.ts';

test.each([
  ['lang=de', 'de'],
  ['a=1; lang=tr ; b=2', 'tr'],
  ['xlang=de; lang2=fr', null],
  ['lang', null],
  ['', null],
  [undefined, null],
  ['lang=a=b', 'a=b'],
])('%j contains %j', (header, value) => {
  expect(readCookie(header, 'lang')).toBe(value);
});

test('a cookie states for whom it is', () => {
  const cookie = { name: 'lang', value: 'de', maxAgeS: 60, isForScripts: false };
  expect(writeCookie(cookie, true)).toBe('lang=de; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax');
  expect(writeCookie({ ...cookie, isForScripts: true }, false)).toBe(
    'lang=de; Max-Age=60; Path=/; SameSite=Lax',
  );
});

test('finds a cookie as if it parsed the whole header', () => {
  const apart = (header: string, name: string) => {
    const pairs = header.split(';').map((pair) => ({ pair, at: pair.indexOf('=') }));
    const found = pairs.find(({ pair, at }) => at > 0 && pair.slice(0, at).trim() === name);
    return found === undefined ? null : found.pair.slice(found.at + 1).trim();
  };
  const header = fc.string({ unit: fc.constantFrom('a', 'b', '=', ';', ' '), maxLength: 30 });
  fc.assert(
    fc.property(header, (one) => {
      expect(readCookie(one, 'a')).toBe(apart(one, 'a'));
    }),
  );
});
