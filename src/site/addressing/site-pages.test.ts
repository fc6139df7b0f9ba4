import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import { offersVideos } from './site-pages.ts';

const configuration = parseSiteConfiguration(JSON.parse(readFileSync('site.config.json', 'utf8')));

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
