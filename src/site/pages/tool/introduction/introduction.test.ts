import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../../../app/parts/read-site-configuration.ts';
import { visitorSettings } from '../../../../app/parts/visitors.ts';
import { openCatalogue } from '../../../../i18n/catalogue.ts';
import { createTranslate } from '../../../../i18n/translate.ts';
import type { ServerSettings } from '../../../visitors/settings.ts';
import { factsOf, formatsOf } from './introduction.ts';

const t = createTranslate<'landing'>('en', openCatalogue().loadMessages('en', 'landing'));
const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as Record<string, unknown>;

function factsWith(fields: object, server: ServerSettings = {}): string[] {
  const configuration = parseSiteConfiguration({ ...own, statistics: false, ...fields });
  const settings = visitorSettings(configuration, 'en', server, [
    ...(configuration.statistics ? (['statistics'] as const) : []),
    ...(Object.keys(configuration.tag_ids).length > 0 ? (['marketing'] as const) : []),
  ]);
  return factsOf(configuration, settings, t).map(({ text }) => text);
}

describe('what the site promises is what its configuration makes true', () => {
  const monitored = { learnsUnasked: true };
  const ad = { img: 'boat.png', href: '/contact', text: 'A boat', width: 300, height: 250 };
  const tags = { tag_ids: { en: 'T-1' }, tag_host: 'https://tags.example' };

  test.each([
    ['nothing is learnt of anybody', {}, {}, ['Free', 'No ads', 'No tracking']],
    ['experiments identify nobody', { experiments: own.experiments }, {}, ['Free', 'No ads', 'No tracking']],
    [
      'statistics are asked for',
      { statistics: true },
      {},
      ['Free', 'No ads', 'No tracking unless you agree'],
    ],
    ['so are tags', tags, {}, ['Free', 'No ads', 'No tracking unless you agree']],
    ['who is counted without being asked', { statistics: true, consent: 'implied' }, {}, ['Free', 'No ads']],
    ['nobody is counted at all', { statistics: true, consent: 'off' }, {}, ['Free', 'No ads', 'No tracking']],
    ['errors are reported', {}, monitored, ['Free', 'No ads']],
    ['a page shows an ad', { ad_info: [ad] }, {}, ['Free', 'No tracking']],
    ['ads are sold', { ads_txt: ['seller.example, 1, DIRECT'] }, {}, ['Free', 'No tracking']],
  ])('%s', (_, fields, server, expected) => {
    expect(factsWith({ experiments: [], ...fields }, server)).toEqual(expected);
  });

  test('the source is named where it can be had', () => {
    const configuration = parseSiteConfiguration({ ...own, source_url: 'https://code.example/clipferry' });
    expect(factsOf(configuration, null, t).at(-1)).toEqual({
      text: 'Open source',
      href: 'https://code.example/clipferry',
    });
  });
});

test.each([
  [['mp4', 'mp4-hd', 'mp3', 'm4a'], ['MP4 720p', 'HD', 'MP3', 'Photos'], false],
  [['mp4', 'mp4-hd'], ['MP4 720p', 'HD', 'Photos'], false],
  [['mp3', 'm4a'], ['MP3', 'M4A'], true],
] as const)('a page with %j says %j', (buttons, names, isSound) => {
  const formats = formatsOf(buttons, t);
  expect(formats.entries.map(({ name }) => name)).toEqual(names);
  expect(formats.isSound).toBe(isSound);
});
