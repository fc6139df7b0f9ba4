import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import { offersVideos, pageKeyOf } from './site-pages.ts';

const file = JSON.parse(readFileSync('site.config.json', 'utf8'));
const [first, ...others] = file.index_modules;
const configuration = parseSiteConfiguration({
  ...file,
  index_modules: [{ ...first, elk_key: 'tiktok-all' }, ...others],
});

test.each([
  ['', true],
  ['tiktok-downloader', true],
  ['download-mp3-tiktok', false],
  ['posts', false],
  ['contact', false],
  ['an-article', false],
])('whether "%s" offers videos: %s', (page, does) => {
  expect(offersVideos(configuration, page)).toBe(does);
});

test.each([
  ['', 'index'],
  ['tiktok-downloader', 'tiktok-all'],
  ['download-mp3-tiktok', 'download-mp3-tiktok'],
  ['contact', 'contact'],
  ['posts', 'posts'],
  ['posts/guides/2', 'category'],
  ['author/anna', 'author-articles'],
  ['view-articles/3', 'view-articles'],
  ['how-to-save-a-video', 'article'],
  ['constructor/x', 'article'],
  ['made/up', 'article'],
])('the key of %j is %s', (page, key) => {
  expect(pageKeyOf(configuration, page)).toBe(key);
});
