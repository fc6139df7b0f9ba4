import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import { defineConfiguration, parseConfiguration } from './configuration.ts';

type Fields = Record<string, unknown>;
const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as Fields & { index_info: Fields };
const withHome = (changes: Fields) => ({ ...own, index_info: { ...own.index_info, ...changes } });
const withDownload = (changes: Fields) =>
  withHome({ download_info: { ...(own.index_info.download_info as Fields), ...changes } });

test('checks what a page sends with a link', () => {
  const { index_info, index_modules } = parseSiteConfiguration(
    withDownload({
      extraParams: [
        { key: 'mp3_task', value: 0 },
        { key: 'source', value: 'web' },
      ],
    }),
  );
  expect(index_info.download_info.extraParams).toEqual({ mp3_task: 0, source: 'web' });
  expect(index_modules.get('tiktok-video-downloader')?.download_info.extraParams).toEqual({});
  for (const extraParams of [
    [{ key: 'url', value: 'x' }],
    [{ key: 'a b', value: 'x' }],
    [{ key: 'a', value: {} }],
    [
      { key: 'a', value: 1 },
      { key: 'a', value: 2 },
    ],
  ])
    expect(() => parseSiteConfiguration(withDownload({ extraParams }))).toThrow(
      'index_info.download_info.extraParams',
    );
});

test('a page has a name in statistics: its own, or its address', () => {
  const { index_info, index_modules } = parseSiteConfiguration(withHome({ elk_key: 'start' }));
  expect([index_info.elk_key, index_modules.get('tiktok-downloader')?.elk_key]).toEqual([
    'start',
    'tiktok-downloader',
  ]);
  expect(parseSiteConfiguration(own).index_info.elk_key).toBe('index');
});

test("lists what it does not say about the site's operator", () => {
  expect(parseSiteConfiguration(own).unnamed).toEqual([
    'operator',
    'operator_address',
    'since',
    'contact_email',
  ]);
  const named = {
    ...own,
    operator: 'Example Ltd',
    operator_address: '1 Example Street, Town',
    since: 2026,
    contact_email: 'mail@example.org',
  };
  expect(parseSiteConfiguration(named)).toMatchObject({
    unnamed: [],
    operator_address: '1 Example Street, Town',
    since: 2026,
  });
  for (const wrong of [{ operator_address: 'two\nlines' }, { dmca_agent: '<b>agent</b>' }, { since: 26 }])
    expect(() => parseSiteConfiguration({ ...named, ...wrong })).toThrow(Object.keys(wrong)[0]);
});

test('a field of a feature has a name of its own, and is read with its type', () => {
  const boats = defineConfiguration({ fields: { boats: z.int().default(3) } });
  const harbour = defineConfiguration({ downloadFields: { media: z.string() } });
  const parse = (...features: Parameters<typeof parseConfiguration>[1]) => {
    const { recommend_right_ad, share_config, ...core } = own;
    return parseConfiguration({ ...core }, features, []);
  };
  expect(boats.of(parse(boats)).boats).toBe(3);
  expect(() => parse(boats, boats)).toThrow('"boats"');
  expect(() => parse(harbour)).toThrow('"media"');
});
