import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../../app/parts/read-site-configuration.ts';
import { promotionOf } from './promotion.ts';

const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as object;
const ad = {
  type: 'ad',
  class: 'cobalt',
  icon: 'film',
  title: { en: 'A boat', de: 'Ein Boot' },
  description: { en: 'For every bay.', de: 'Für jede Bucht.' },
  url: 'https://boats.example/',
};
const withCards = (recommend_right_ad: object) => ({ ...own, recommend_right_ad });
const cardsOf = (recommend_right_ad: object) =>
  promotionOf(parseSiteConfiguration(withCards(recommend_right_ad))).items;

test('a card has what its list says, with the prefixes before its address and its icon', () => {
  const [card] = cardsOf({
    prefix: 'https://boats.example/mlink/go?to=',
    icon_prefix: 'promos/',
    list: [
      {
        ...ad,
        url: 'harbour',
        icon: 'boat.webp',
        show: { effectUrls: ['/posts'], locales: ['en'], devices: ['computer'] },
      },
    ],
  });
  expect(card).toMatchObject({
    type: 'ad',
    look: 'cobalt',
    icon: 'sparkles',
    picture: 'promos/boat.webp',
    href: 'https://boats.example/mlink/go?to=harbour',
    paths: ['/posts'],
    locales: ['en'],
    devices: ['computer'],
  });
  expect(card?.id).toMatch(/^card-[0-9a-f]{8}$/);
});

test('uses as many cards of the list as it says, without hidden ones', () => {
  const list = [ad, { ...ad, url: '/contact', show: false }, { type: 'install' }, { type: 'example' }];
  expect(cardsOf({ list }).map(({ type }) => type)).toEqual(['ad', 'install', 'example']);
  expect(cardsOf({ list, len: 3 }).map(({ type }) => type)).toEqual(['ad', 'install']);
  expect(cardsOf({ list, len: 0 })).toEqual([]);
  expect(cardsOf({})).toEqual([]);
});

test('a tip looks like our own cards, and leads where its type says', () => {
  const [install, example, guide] = cardsOf({
    prefix: 'https://boats.example/',
    list: [{ type: 'install' }, { type: 'example' }, { type: 'guide', url: 'mp3-or-m4a', icon: 'music' }],
  });
  expect(install).toMatchObject({ look: 'sea', icon: 'device', title: undefined });
  expect(example).toMatchObject({ look: 'sea', href: '/' });
  expect(guide).toMatchObject({ look: 'sea', href: 'mp3-or-m4a', icon: 'music' });
});

test('a card keeps its name when others come before it, and gets another one with another address', () => {
  const [first] = cardsOf({ list: [ad] });
  const [, second] = cardsOf({ list: [{ type: 'install' }, { ...ad, class: 'leaf' }] });
  const [other] = cardsOf({ list: [{ ...ad, url: 'https://boats.example/other' }] });
  expect(second?.id).toBe(first?.id);
  expect(other?.id).not.toBe(first?.id);
});

test.each([
  ['list.0.type', { list: [{ ...ad, type: 'popup' }] }],
  ['list.0.class', { list: [{ ...ad, class: 'youtube' }] }],
  ['list.0.icon: "../boat.webp" is neither', { list: [{ ...ad, icon: '../boat.webp' }] }],
  [
    'list.0.icon: "//evil.example/x.webp" is neither',
    { icon_prefix: '//evil.example/', list: [{ ...ad, icon: 'x.webp' }] },
  ],
  ['list.0.url: "javascript:alert(1)" is neither', { list: [{ ...ad, url: 'javascript:alert(1)' }] }],
  ['list.0.url: "//evil.example" is neither', { list: [{ ...ad, url: '//evil.example' }] }],
  ['list.0.url: is no downloader page', { list: [{ type: 'example', url: '/nowhere' }] }],
  ['list.0.url: must be the key of an article', { list: [{ type: 'guide', url: '/mp3-or-m4a' }] }],
  ['list.0.title: has no text', { list: [{ ...ad, title: {} }] }],
  ['list.0.title', { list: [{ ...ad, title: 'A boat' }] }],
  ['list.0.description', { list: [{ ...ad, description: undefined }] }],
  ['list.0.show', { list: [{ ...ad, show: { pages: [] } }] }],
  ['list.1: stands here twice', { list: [ad, ad] }],
  ['len', { len: -1 }],
  ['recommend_right_ad', { promos: [] }],
])('%s', (place, field) => {
  expect(() => cardsOf(field)).toThrow(place);
  expect(() => cardsOf(field)).toThrow('recommend_right_ad');
});
