import { expect, test } from 'vitest';
import { kindOf, languageOf, textIn } from './requests.ts';
import type { OfflineLanguage } from './settings.ts';

const origin = 'https://site.example';
const kind = (path: string, { method = 'GET', mode = 'navigate' as RequestMode } = {}) =>
  kindOf({ url: new URL(path, origin).href, method, mode }, origin);

test.each([
  ['/_app/frame-8nzG_w0s.js', 'asset'],
  ['/', 'page'],
  ['/tr/de/contact', 'page'],
  ['/?url=https://www.tiktok.com/@a/video/7.mp4', 'page'],
  ['/_.data', 'data'],
  ['/de/contact.data?_routes=root', 'data'],
  ['/de/manifest.webmanifest', 'manifest'],
  ['/api', null],
  ['/api/files/ticket', null],
  ['/api/resolve', null],
  ['/sitemap.xml', null],
  ['/posts/feed.xml', null],
  ['/cookie_set?lang=de', null],
  ['https://other.example/', null],
])('%s: %s', (path, expected) => {
  expect(kind(path)).toBe(expected);
});

test('ignores form submissions, and everything that is not a page', () => {
  expect(kind('/', { method: 'POST' })).toBeNull();
  expect(kind('/tr/de/many-posts', { method: 'POST' })).toBe('shared');
  expect(kind('/_app/a.js', { method: 'HEAD' })).toBeNull();
  expect(kind('/contact', { mode: 'cors' })).toBeNull();
});

const language = (lang: string) => ({ lang }) as OfflineLanguage;
const site = {
  languages: { en: language('en'), de: language('de'), tr: language('tr') },
  defaultLocale: 'en',
};

test.each([
  ['/', 'en'],
  ['/contact', 'en'],
  ['/de', 'de'],
  ['/tr', 'tr'],
  ['/tr/contact', 'tr'],
  ['/tr/de/contact', 'de'],
  ['/toString', 'en'],
])('%s is in %s', (path, lang) => {
  expect(languageOf(path, site).lang).toBe(lang);
});

test('what a share sheet sends is one text; a title alone is none', () => {
  const text = (query: string) => textIn(new URLSearchParams(query));
  expect(text('title=Look&text=at+this&url=https://a.example')).toBe('https://a.example at this Look');
  expect(text('text=only')).toBe('only');
  expect(text('title=only')).toBe('');
  expect(text('')).toBe('');
});
