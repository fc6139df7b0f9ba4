import { expect, test } from 'vitest';
import type { AdConfiguration, AdRule } from '../configuration/ads.ts';
import { type AdPage, layoutsOf, pageAds } from './page-ads.ts';

const rule = (changes: Partial<AdRule> = {}): AdRule => ({
  effectUrls: [],
  href: 'https://partner.example/',
  text: 'A boat',
  width: 160,
  height: 180,
  ...changes,
});

const none: AdConfiguration = {
  side: [],
  bottom: [],
  box: [],
  recommended: [],
  newest: [],
  footerHosts: ['a.example', 'b.example'],
  isOffForVideos: false,
};

const page = (changes: Partial<AdPage> = {}): AdPage => ({
  locale: 'de',
  path: '/de/contact',
  offersVideos: true,
  pictures: new Map(),
  tags: { recommended: 'Empfohlen', newest: 'Neu' },
  toHref: (path) => `/de${path}`,
  ...changes,
});

test('each list has its place, and a place without an ad is absent', () => {
  expect(pageAds(none, page())).toEqual({});
  const ads = pageAds({ ...none, side: [rule()], bottom: [rule({ effectUrls: ['/posts'] })] }, page());
  expect(Object.keys(ads)).toEqual(['side']);
  expect(layoutsOf(ads)).toEqual(['desktop']);
  expect(layoutsOf(pageAds({ ...none, bottom: [rule()] }, page()))).toEqual(['mobile']);
  expect(layoutsOf(pageAds({ ...none, box: [rule()] }, page()))).toEqual(['desktop', 'mobile']);
  expect(layoutsOf({})).toEqual([]);
});

test('shows the banners of the footer on the named hosts, on desktops', () => {
  const both = pageAds({ ...none, recommended: [rule()], newest: [rule({ text: 'B' })] }, page());
  expect(both.footer?.hosts).toEqual(['a.example', 'b.example']);
  expect(both.footer?.banners.map(({ text, tag }) => [text, tag])).toEqual([
    ['A boat', 'Empfohlen'],
    ['B', 'Neu'],
  ]);
  expect(layoutsOf(both)).toEqual(['desktop']);
  expect(pageAds({ ...none, recommended: [rule()], footerHosts: [] }, page())).toEqual({});
});

test('recognises links to this site as our own, in the language of the page', () => {
  const { side } = pageAds({ ...none, side: [rule({ href: '/contact' })] }, page());
  expect([side?.isOwn, side?.href]).toEqual([true, '/de/contact']);
  const other = pageAds({ ...none, side: [rule()] }, page()).side;
  expect([other?.isOwn, other?.href]).toEqual([false, 'https://partner.example/']);
});

test('uses the picture for the page’s language, or the text when there is none', () => {
  const made = { id: 'f0', width: 320, height: 360, widths: [160, 320] };
  const pictures = new Map([['boat-de.png', made]]);
  const configuration = { ...none, side: [rule({ img: 'boat-{locale}.png' })] };
  expect(pageAds(configuration, page({ pictures })).side?.picture).toEqual({ id: 'f0', widths: [160, 320] });
  expect(pageAds(configuration, page({ pictures, locale: 'es' })).side?.picture).toBeNull();
  expect(pageAds(configuration, page()).side?.picture).toBeNull();
});

test('shows a text in the language of the page, or in English and marked as such', () => {
  const configuration = { ...none, side: [rule({ text: { en: 'A boat', de: 'Ein Boot' } })] };
  const inLanguage = (locale: AdPage['locale']) => {
    const { text, lang } = pageAds(configuration, page({ locale })).side ?? {};
    return [text, lang];
  };
  expect(inLanguage('de')).toEqual(['Ein Boot', undefined]);
  expect(inLanguage('en')).toEqual(['A boat', undefined]);
  expect(inLanguage('ar')).toEqual(['A boat', 'en']);
});

test('ads can be disabled on the pages with videos', () => {
  const configuration = { ...none, side: [rule()], isOffForVideos: true };
  expect(pageAds(configuration, page())).toEqual({});
  expect(pageAds(configuration, page({ offersVideos: false }))).toHaveProperty('side');
});
