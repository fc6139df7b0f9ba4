import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';

type Fields = Record<string, unknown>;
const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as Fields & { index_info: Fields };
const withHome = (changes: Fields) => ({ ...own, index_info: { ...own.index_info, ...changes } });
const withDownload = (changes: Fields) =>
  withHome({ download_info: { ...(own.index_info.download_info as Fields), ...changes } });

test('checks what a page sends with a link', () => {
  const { home, modules } = parseSiteConfiguration(
    withDownload({
      extraParams: [
        { key: 'mp3_task', value: 0 },
        { key: 'source', value: 'web' },
      ],
    }),
  );
  expect(home.extraParameters).toEqual({ mp3_task: 0, source: 'web' });
  expect(modules.get('tiktok-video-downloader')?.extraParameters).toEqual({});
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
  const { home, modules } = parseSiteConfiguration(withHome({ elk_key: 'start' }));
  expect([home.pageKey, modules.get('tiktok-downloader')?.pageKey]).toEqual(['start', 'tiktok-downloader']);
  expect(parseSiteConfiguration(own).home.pageKey).toBe('index');
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
    operatorAddress: '1 Example Street, Town',
    since: 2026,
    dmcaAgent: null,
  });
  for (const wrong of [{ operator_address: 'two\nlines' }, { dmca_agent: '<b>agent</b>' }, { since: 26 }])
    expect(() => parseSiteConfiguration({ ...named, ...wrong })).toThrow(Object.keys(wrong)[0]);
});
