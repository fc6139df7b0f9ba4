import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../../app/parts/read-site-configuration.ts';
import { locales } from '../../../i18n/languages.ts';
import type { Place } from '../item.ts';
import { pictureSource } from '../item-fields.ts';
import { itemsAt } from '../items/page-items.ts';
import { pictureProblems, referencedPictures } from '../pictures/promoted-pictures.ts';
import { promotionOf } from './promotion.ts';

const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as Record<string, unknown>;
const promoting = (fields: object) => promotionOf(parseSiteConfiguration({ ...own, ...fields }));
const adsOf = (fields: object) => promoting(fields).items.filter(({ place }) => place !== 'card');
const rule = (changes: object = {}) => ({
  img: 'ads/boat-{locale}.png',
  href: 'https://partner.example/boat',
  text: 'A boat',
  width: 300,
  height: 250,
  ...changes,
});

test('a site has no ads unless it names some', () => {
  expect(adsOf({})).toEqual([]);
  expect(promoting({})).toMatchObject({ recommend_domains: [], hideKSAd: false });
});

test('reads the fields of the specification', () => {
  const promotion = promoting({
    ad_info: [rule({ effectUrls: ['/posts'], real_width: 600, real_height: 500 })],
    ad_mobile_info: [rule({ href: '/contact' })],
    recommend_info: { box: [rule()], recommend: [rule()], new: [rule()] },
    recommend_domains: ['A.example'],
    hideKSAd: true,
    recommend_right_ad: undefined,
  });
  expect(promotion.items.map(({ place, type, field, id }) => [place, type, field, id])).toEqual([
    ['side', 'ad', 'ad_info.0', 'side-banner'],
    ['bottom', 'sister', 'ad_mobile_info.0', 'bottom-banner'],
    ['box', 'ad', 'recommend_info.box.0', 'recommendation'],
    ['recommended', 'ad', 'recommend_info.recommend.0', 'footer-banners'],
    ['newest', 'ad', 'recommend_info.new.0', 'footer-banners'],
  ]);
  expect(promotion.items[0]).toMatchObject({
    paths: ['/posts'],
    size: { real_width: 600, real_height: 500 },
  });
  expect(promotion.recommend_domains).toEqual(['a.example']);
  expect(promotion.hideKSAd).toBe(true);
});

test.each([
  [rule({ href: 'javascript:alert(1)' }), 'href: must be a path that starts with one "/"'],
  [rule({ href: '//other.example' }), 'href: must be a path that starts with one "/"'],
  [rule({ href: 'http://other.example' }), 'href: must be a path that starts with one "/"'],
  [rule({ img: 'http://other.example/boat.png' }), 'img: must be an https:// address or a path'],
  [rule({ img: '../secret.png' }), 'img: must be an https:// address or a path'],
  [rule({ img: '/etc/boat.png' }), 'img: must be an https:// address or a path'],
  [rule({ img: 'boat-{language}.png' }), 'img: must be an https:// address or a path'],
  [rule({ text: ' ' }), 'text: '],
  [rule({ text: { de: 'Ein Boot' } }), 'text'],
  [rule({ text: { xx: 'A boat' } }), 'text'],
  [rule({ width: 0 }), 'width: '],
  [rule({ height: 2.5 }), 'height: '],
  [rule({ real_width: 600, real_height: 600 }), 'real_height: makes another shape than "width" and "height"'],
  [rule({ effectUrls: ['a b'] }), 'effectUrls.0: must be a part of a path'],
  [rule({ effectUrl: [] }), 'Unrecognized key: "effectUrl"'],
])('refuses %j by name', (wrong, message) => {
  expect(() => adsOf({ ad_info: [wrong] })).toThrow(`ad_info.0`);
  expect(() => adsOf({ ad_info: [wrong] })).toThrow(message);
});

test('a picture exists in five languages, and in English for the others', () => {
  const found = locales.map((locale) => pictureSource('{locale}/boat-{locale}.png', locale));
  expect(new Set(found)).toEqual(
    new Set(['en/boat-en.png', 'ja/boat-ja.png', 'fr/boat-fr.png', 'de/boat-de.png', 'zh/boat-zh.png']),
  );
  expect(pictureSource('{locale}.png', 'ja')).toBe('ja.png');
  expect(pictureSource('{locale}.png', 'ar')).toBe('en.png');
  const wanted = referencedPictures(adsOf({ ad_info: [rule()], ad_mobile_info: [rule({ width: 320 })] }), [
    'de',
    'es',
  ]);
  expect(wanted.map(({ source, items }) => [source, items.map(({ field }) => field)])).toEqual([
    ['ads/boat-de.png', ['ad_info.0', 'ad_mobile_info.0']],
    ['ads/boat-en.png', ['ad_info.0', 'ad_mobile_info.0']],
  ]);
});

test('a page shows of each place the first ad that names a part of its path, or no path at all', () => {
  const ads = adsOf({
    ad_info: [rule({ text: 'posts', effectUrls: ['/posts', 'mp3'] }), rule({ text: 'others' })],
    recommend_info: { new: [rule({ text: 'nowhere', effectUrls: ['/nowhere'] })] },
  });
  const shownAt = (path: string, place: Place) =>
    itemsAt(ads, path).flatMap((item) => (item.place === place ? [item.title] : []));
  expect(shownAt('/de/posts/guides', 'side')).toEqual(['posts']);
  expect(shownAt('/download-mp3-tiktok', 'side')).toEqual(['posts']);
  expect(shownAt('/', 'side')).toEqual(['others']);
  expect(shownAt('/', 'newest')).toEqual([]);
});

test.each([
  [600, 500, []],
  [300, 250, []],
  [605, 500, []],
  [600, 400, ['is 600x400, which is another ratio: ad_info.0 shows it in 300x250']],
  [150, 125, ['is 150x125, which is too small: ad_info.0 shows it in 300x250']],
  [1800, 1500, ['is 1800x1500, which is too big: ad_info.0 shows it in 300x250']],
])('a picture of %i x %i', (width, height, problems) => {
  const [wanted] = referencedPictures(adsOf({ ad_info: [rule()] }), ['en']);
  expect(wanted && pictureProblems(wanted, { width, height })).toEqual(problems);
});

test('reports a picture whose size differs from the file', () => {
  const [wanted] = referencedPictures(adsOf({ ad_info: [rule({ real_width: 600, real_height: 500 })] }), [
    'en',
  ]);
  expect(wanted && pictureProblems(wanted, { width: 900, height: 750 })).toEqual([
    'is 900x750, and ad_info.0 says that it is 600x500',
  ]);
});
