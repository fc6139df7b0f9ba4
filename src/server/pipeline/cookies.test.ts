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
])('%j holds %j', (header, value) => {
  expect(readCookie(header, 'lang')).toBe(value);
});

test('a cookie says for whom it is', () => {
  const cookie = { name: 'lang', value: 'de', maxAgeS: 60, isForScripts: false };
  expect(writeCookie(cookie, true)).toBe('lang=de; Path=/; Max-Age=60; SameSite=Lax; HttpOnly; Secure');
  expect(writeCookie({ ...cookie, isForScripts: true }, false)).toBe(
    'lang=de; Path=/; Max-Age=60; SameSite=Lax',
  );
});
