import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ConsentCategory } from '../../site/consent/consent-cookie.ts';
import { parseSiteConfiguration } from './read-site-configuration.ts';
import { visitorSettings } from './visitors.ts';

const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as Record<string, unknown>;
const bare = {
  ...own,
  statistics: false,
  consent: 'required',
  tag_ids: {},
  partner_domains: [],
  experiments: [],
};
const settingsFor = (
  fields: object,
  needed: readonly ConsentCategory[] = [],
  locale: 'de' | 'fr' = 'de',
  server = {},
) => visitorSettings(parseSiteConfiguration({ ...bare, ...fields }), locale, server, needed);
const tags = { tag_ids: { de: 'T-1' }, tag_host: 'https://tags.example' };

test('has no settings when there is nothing to ask for', () => {
  expect(settingsFor({})).toBeNull();
  expect(settingsFor({ consent: 'off', statistics: true, ...tags }, ['statistics'])).toBeNull();
});

test('asks visitors for what is configured', () => {
  expect(settingsFor({ statistics: true }, ['statistics'])).toEqual({
    consent: 'required',
    asksFor: ['statistics'],
    statistics: { base: '', partners: [], appIds: [] },
  });
  const fields = { statistics: true, analytics_url: 'https://counts.example/', app_ids: ['1', 2] };
  expect(settingsFor(fields, ['statistics'])?.statistics).toEqual({
    base: 'https://counts.example',
    partners: [],
    appIds: ['1', '2'],
  });
  // Always in one order, each once.
  expect(settingsFor({}, ['marketing', 'statistics', 'marketing'])?.asksFor).toEqual([
    'statistics',
    'marketing',
  ]);
  expect(settingsFor({ consent: 'implied', statistics: true }, ['statistics'])?.consent).toBe('implied');
});

test('a language with a tag learns of it, and the others only ask', () => {
  expect(settingsFor(tags, ['marketing'])).toEqual({
    consent: 'required',
    asksFor: ['marketing'],
    tag: { host: 'https://tags.example', id: 'T-1' },
  });
  expect(settingsFor(tags, ['marketing'], 'fr')).toEqual({ consent: 'required', asksFor: ['marketing'] });
});

test('what the environment enables is there without anything to ask for', () => {
  expect(settingsFor({ consent: 'off', ...tags }, ['marketing'], 'de', { isOn: true })).toEqual({
    consent: 'off',
    asksFor: [],
    isOn: true,
  });
});

test.each([
  'http://reports.example',
  'https://reports.example/x',
  "https://reports.example; script-src 'unsafe-inline'",
  'https://a.*.example',
  'https://*',
  'https://localhost',
])('a tag cannot report to %s', (origin) => {
  expect(() => settingsFor({ ...tags, tag_connect: [origin] })).toThrow('\n  tag_connect.0: ');
});

test.each([
  [{ tag_ids: { de: 'T-1' } }, 'tag_host'],
  [{ ...tags, tag_ids: { de: 'T 1"' } }, 'tag_ids.de'],
  [{ ...tags, tag_host: 'http://tags.example' }, 'tag_host'],
  [{ tag_connect: ['https://reports.example'] }, 'tag_connect'],
  [{ consent: 'maybe' }, 'consent'],
  [{ analytics_url: 'http://counts.example' }, 'analytics_url'],
  [{ statistics_days: 0 }, 'statistics_days'],
  [{ app_ids: ['1', '2', '3'] }, 'app_ids'],
])('refuses %j by the name of its field', (fields, place) => {
  expect(() => settingsFor(fields)).toThrow(`\n  ${place}: `);
});
