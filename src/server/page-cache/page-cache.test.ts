import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import { touchedPages } from './page-cache.ts';

const configuration = parseSiteConfiguration(JSON.parse(readFileSync('site.config.json', 'utf8')));
const paths = [
  '/',
  '/tr',
  '/one',
  '/tr/one',
  '/two',
  '/posts',
  '/posts/guides/2',
  '/tr/posts',
  '/contact',
  '/tiktok-downloader',
];

test('a changed article affects its own pages, the lists and the articles of its language, and no others', () => {
  const touches = touchedPages([{ subject: 'article', locale: 'en', name: 'one' }], configuration);
  expect(paths.filter(touches)).toEqual([
    '/',
    '/one',
    '/tr/one',
    '/two',
    '/posts',
    '/posts/guides/2',
    '/tiktok-downloader',
  ]);
});

test('the name of a category or an author is on too many pages to separate them', () => {
  expect(
    paths.filter(touchedPages([{ subject: 'author', locale: '', name: 'editors' }], configuration)),
  ).toEqual(paths);
  expect(paths.filter(touchedPages([{ subject: 'article', locale: '', name: '*' }], configuration))).toEqual(
    paths,
  );
});
