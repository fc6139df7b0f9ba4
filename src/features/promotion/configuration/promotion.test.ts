import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../../app/parts/read-site-configuration.ts';
import { listModules } from '../../../site/addressing/site-pages.ts';
import { programOf } from './promotion.ts';

interface File {
  readonly index_info: object;
  readonly index_modules: readonly { readonly url: string }[];
}
const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as File;
const soundPage = '/download-mp3-tiktok';

/** A configuration in which a page offers a program. */
const offering = (url: string, product_dialog_info: object, partners: object = {}) => ({
  ...own,
  partners,
  index_modules: own.index_modules.map((module) =>
    module.url === url ? { ...module, product_dialog_info } : module,
  ),
});
const programsOf = (file: object) => {
  const site = parseSiteConfiguration(file);
  return listModules(site).map((module) => programOf(module, site));
};
const dialogOf = (url: string, ...fields: [object, object?]) =>
  programsOf(offering(url, ...fields)).find((program) => program !== null);

const cells = {
  win: { url: 'https://boats.example/mlink/download.php?pid=1', requires: 'Windows 10' },
  mac: { url: 'https://boats.example/mlink/download.php?pid=2' },
};

test('a page offers no program unless configured to', () => {
  expect(programsOf(own)).toEqual([null, null, null, null]);
});

test('default: an advertisement, tagged with the page’s key, which does not open by itself', () => {
  expect(dialogOf('/tiktok-downloader', { name: 'Harbour', cells })).toEqual({
    name: 'Harbour',
    type: 'ad',
    description: {},
    cells,
    source: 'tiktok-downloader',
    source_parameter: 'source',
    page_url: {},
    after_success: false,
  });
});

test('a page for sound accepts its partner’s name in its three spellings', () => {
  const field = {
    description: { en: '{Partner} keeps all your sounds.' },
    cells: {
      win: { url: 'https://{partner}.example/win?tag={PARTNER}' },
      mac: { url: 'https://{partner}.example/mac' },
    },
    page_url: 'https://{partner}.example/{locale}/',
  };
  expect(dialogOf(soundPage, field, { 'download-mp3-tiktok': { name: 'Sound Harbour' } })).toMatchObject({
    name: 'Sound Harbour',
    description: { en: 'Sound Harbour keeps all your sounds.' },
    cells: {
      win: { url: 'https://soundharbour.example/win?tag=SOUNDHARBOUR' },
      mac: { url: 'https://soundharbour.example/mac' },
    },
    page_url: 'https://soundharbour.example/{locale}/',
  });
  const written = { name: 'Sound Harbour', lower: 'sound-harbour', upper: 'SOUND_HARBOUR' };
  expect(dialogOf(soundPage, field, { 'download-mp3-tiktok': written })?.cells.win.url).toBe(
    'https://sound-harbour.example/win?tag=SOUND_HARBOUR',
  );
});

test.each([
  [
    'product_dialog_info: names a partner, and "partners" has none for "tiktok-downloader"',
    ['/tiktok-downloader', { cells }],
  ],
  ['product_dialog_info.cells.mac', ['/tiktok-downloader', { name: 'Harbour', cells: { win: cells.win } }]],
  [
    'product_dialog_info.cells',
    ['/tiktok-downloader', { name: 'Harbour', cells: { ...cells, linux: cells.win } }],
  ],
  [
    'product_dialog_info.cells.win.url',
    ['/tiktok-downloader', { name: 'Harbour', cells: { ...cells, win: { url: '/x.exe' } } }],
  ],
  [
    'product_dialog_info.cells.win.url',
    ['/tiktok-downloader', { name: 'Harbour', cells: { ...cells, win: { url: 'https://{Partner}/' } } }],
  ],
  ['product_dialog_info.source', ['/tiktok-downloader', { name: 'Harbour', cells, source: 'a b' }]],
  [
    'product_dialog_info.page_url',
    ['/tiktok-downloader', { name: 'Harbour', cells, page_url: { xx: 'https://a.example' } }],
  ],
  [
    'partners.tiktok-downloader: is no key of a page for sound alone',
    ['/tiktok-downloader', { name: 'Harbour', cells }, { 'tiktok-downloader': { name: 'Harbour' } }],
  ],
  [
    'partners.download-mp3-tiktok.lower',
    [soundPage, { cells }, { 'download-mp3-tiktok': { name: 'Harbour', lower: 'a b' } }],
  ],
] as [string, Parameters<typeof offering>][])('%s', (place, fields) => {
  expect(() => parseSiteConfiguration(offering(...fields))).toThrow(place);
});
