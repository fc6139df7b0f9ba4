import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../app/parts/read-site-configuration.ts';
import { pageBackends, type Tier, tierFor, tierOf, tiers } from './configuration.ts';

const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as {
  index_info: { download_info: Record<string, unknown> };
};

function backends(fields: Record<string, unknown>, bases = {}) {
  const download_info = { ...own.index_info.download_info, ...fields };
  const file = { ...own, index_info: { ...own.index_info, download_info }, backends: bases };
  const site = parseSiteConfiguration(file);
  return (tier: Tier) => pageBackends(site.index_info, site, tier);
}

const sound = { download_btns: ['mp3', 'm4a'] };
const video = { download_btns: ['mp4'] };

test.each([
  ['nothing', {}, [null], null],
  ['a host', { download_host: 'https://a.example' }, ['https://a.example/api/resolve'], null],
  [
    'a host and a path',
    { download_host: 'https://a.example:8443', download_url: '/v2/find' },
    ['https://a.example:8443/v2/find'],
    null,
  ],
  ['a whole address', { download_url: 'https://a.example/v2' }, ['https://a.example/v2'], null],
  ['this machine', { download_host: 'http://127.0.0.1:4000' }, ['http://127.0.0.1:4000/api/resolve'], null],
  ['sound elsewhere', { download_mp3_host: 'https://s.example' }, [null], 'https://s.example/api/resolve'],
  [
    'sound by another call',
    { download_host: 'https://a.example', mp3_url: '/mp3' },
    ['https://a.example/api/resolve'],
    'https://a.example/mp3',
  ],
  [
    'both',
    { download_host: 'https://a.example', download_mp3_host: 'https://s.example', mp3_url: '/mp3' },
    ['https://a.example/api/resolve'],
    'https://s.example/mp3',
  ],
  [
    'the same for both',
    { download_host: 'https://a.example', download_mp3_host: 'https://a.example' },
    ['https://a.example/api/resolve'],
    null,
  ],
  [
    'sound alone',
    { ...sound, download_host: 'https://a.example', download_mp3_host: 'https://s.example' },
    ['https://s.example/api/resolve'],
    null,
  ],
  [
    'sound alone, with one host',
    { ...sound, download_host: 'https://a.example' },
    ['https://a.example/api/resolve'],
    null,
  ],
  ['no sound', { ...video, download_mp3_host: 'https://s.example' }, [null], null],
  [
    'this site as the last',
    { download_host: 'https://a.example', default_url: '/api/resolve' },
    ['https://a.example/api/resolve', null],
    null,
  ],
  [
    'another as the last',
    { default_url: 'https://b.example/api/resolve' },
    [null, 'https://b.example/api/resolve'],
    null,
  ],
  ['this site twice', { default_url: '/api/resolve' }, [null], null],
])('%s', (_, fields, places, forSound) => {
  expect(tiers.map(backends(fields))).toEqual(tiers.map(() => ({ places, sound: forSound })));
});

const host = { download_host: 'https://a.example' };

test.each([
  ['download_host', { download_host: 'http://a.example' }],
  ['download_host', { download_host: 'https://a.example/' }],
  ['download_host', { download_host: 'https://a.example/path' }],
  ['download_host', { download_host: 'https://user:password@a.example' }],
  ['download_host', { download_host: 'http://127.0.0.1.example' }],
  ['download_host', { download_host: 'ftp://a.example' }],
  ['download_host', { download_host: 'a.example' }],
  ['download_mp3_host', { download_mp3_host: 'http://[2001:db8::1]' }],
  ['download_url', { ...host, download_url: 'find' }],
  ['download_url', { ...host, download_url: '//b.example/find' }],
  ['download_url', { ...host, download_url: '/\\b.example' }],
  ['download_url', { ...host, download_url: '/find?page=/' }],
  ['download_url', { download_url: 'http://a.example/find' }],
  ['download_url', { download_url: '/find' }],
  ['mp3_url', { mp3_url: '/mp3' }],
  ['default_url', { ...host, default_url: '/find' }],
  ['default_url', { ...host, default_url: 'javascript:alert(1)' }],
])('refuses %s by its name: %j', (name, fields) => {
  expect(() => backends(fields)).toThrow(`index_info.download_info.${name}: `);
});

const bases = {
  video: { production: 'https://v.example', pre_production: 'https://v-test.example' },
  short_video: { production: 'https://s.example', default: 'https://fixed.example' },
  audio: { production: 'https://a.example', pre_production: 'https://a-test.example' },
};
const find = (origin: string) => `${origin}/api/resolve`;

test.each([
  ['what is left open', {}, ['https://s.example', 'https://fixed.example'], 'https://a.example'],
  ['a name', { download_host: 'video' }, ['https://v.example'], null],
  [
    'two names',
    { download_host: 'video', download_mp3_host: 'audio' },
    ['https://v.example'],
    'https://a.example',
  ],
  ['sound alone', sound, ['https://a.example'], null],
  ['a name that names nobody', { download_host: 'second_video' }, [null], null],
  ['a host', { download_host: 'https://h.example' }, ['https://h.example'], null],
])('the backends of the site: %s', (_, fields, origins, forSound) => {
  expect(backends(fields, bases)('production')).toEqual({
    places: origins.map((origin) => origin && find(origin)),
    sound: forSound && find(forSound),
  });
});

test('uses other backends before production, and the fixed one when there is none', () => {
  expect(backends({}, bases)('pre_production')).toEqual({
    places: [find('https://fixed.example')],
    sound: find('https://a-test.example'),
  });
});

test.each([
  ['video', { video: { production: 'http://v.example' } }],
  ['audio', { audio: { default: 'https://v.example' } }],
  ['backends', { picture: {} }],
])('refuses %s: %j', (name, wrong) => {
  expect(() => backends({}, wrong)).toThrow(name);
});

test.each([
  ['clipferry.example', 'production'],
  ['localhost:3000', 'production'],
  ['test.clipferry.example', 'pre_production'],
  ['MYTEST.example:8080', 'pre_production'],
  ['loaclhost:3000', 'pre_production'],
  ['locahost', 'pre_production'],
])('%s asks %s', (host, tier) => {
  expect(tierOf(host)).toBe(tier);
});

const names = { domain: 'clipferry.example', hosts: ['test.clipferry.example', 'loaclhost'] };
test.each([
  ['https://clipferry.example', 'clipferry.example', 'production'],
  ['https://clipferry.example', 'TEST.clipferry.example:8080', 'pre_production'],
  ['https://clipferry.example', 'loaclhost:3000', 'pre_production'],
  ['https://clipferry.example', 'test.evil.example', 'production'],
  ['https://clipferry.example', 'test', 'production'],
  ['https://clipferry.example', 'test.clipferry.example.evil.example', 'production'],
  ['https://clipferry.example', '', 'production'],
  ['https://test.example', 'clipferry.example', 'production'],
  ['https://test.example', 'evil.example', 'pre_production'],
])('a site found at %s and requested as %s asks %s', (origin, host, tier) => {
  expect(tierFor(host, { origin, configuration: names })).toBe(tier);
});
