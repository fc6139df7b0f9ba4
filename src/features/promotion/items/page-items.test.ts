import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSiteConfiguration } from '../../../app/parts/read-site-configuration.ts';
import type { Content } from '../../../content/content.ts';
import { loadMessages } from '../../../i18n/catalogue.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { promotionOf } from '../configuration/promotion.ts';
import type { Place } from '../item.ts';
import { itemPage, itemsFor, pageCards, promoted } from './page-items.ts';

const own = JSON.parse(readFileSync('site.config.json', 'utf8')) as object;
const ad = {
  type: 'ad',
  title: { en: 'A boat', de: 'Ein Boot' },
  description: { en: 'For every bay.', de: 'Für jede Bucht.' },
  url: 'https://boats.example/{locale}',
};

/** An article in two languages, and a bundled one. */
const articles: Readonly<Record<string, readonly object[]>> = {
  sounds: [
    { locale: 'de', slug: 'klaenge', updatedAt: 0 },
    { locale: 'en', slug: 'sounds', updatedAt: 0 },
  ],
  'save-tiktok-video-iphone': [{ locale: 'en', slug: 'on-iphone', updatedAt: 0 }],
};

const content = {
  translations: async (key: string) => articles[key] ?? [],
  article: async (locale: string, slug: string) => ({
    title: `${locale} ${slug}`,
    description: 'All of it.',
  }),
} as unknown as Content;

let isDead = false;
const isDeadExample = () => isDead;

async function cardsOf(path: string, list: readonly object[], partners: object = {}, more: object = {}) {
  const file = { ...own, ...more, partners, recommend_right_ad: { list } };
  const configuration = parseSiteConfiguration(file);
  const pictures = new Map([['boat-de.png', { id: 'f0', width: 88, height: 88, widths: [44, 88] }]]);
  const promotion = promotionOf(configuration);
  const services = { configuration, content, pictures, messages: loadMessages, promotion, isDeadExample };
  return (await pageCards(services, path)).cards;
}

test('a card uses the page’s language and its correct name', async () => {
  const list = [ad, { ...ad, type: 'sister', url: '/contact' }, { type: 'install' }];
  const [first, sister, tip] = await cardsOf('/de/posts', list);
  expect(first).toMatchObject({
    label: 'Anzeige',
    close: 'Anzeige schließen',
    title: 'Ein Boot',
    description: 'Für jede Bucht.',
    href: 'https://boats.example/de',
  });
  expect(sister).toMatchObject({ label: 'Von uns', close: 'Hinweis schließen', href: '/de/contact' });
  expect(tip).toMatchObject({ label: 'Tipp', title: 'clipferry.example als App', href: null });
});

test('a page has the cards for its path and its language, in their order', async () => {
  const list = [
    { ...ad, show: { effectUrls: ['/posts'] } },
    { ...ad, url: '/dmca', show: { locales: ['en'] } },
    { type: 'install', show: { devices: ['android'] } },
  ];
  expect((await cardsOf('/posts/guides', list)).map(({ href }) => href)).toEqual([
    'https://boats.example/en',
    '/dmca',
    null,
  ]);
  const [install, ...others] = await cardsOf('/de', list);
  expect(others).toEqual([]);
  expect(install?.devices).toEqual(['android']);
  // There is no Polish text.
  expect(await cardsOf('/pl/posts', list.slice(0, 2))).toEqual([]);
});

test('the page that has an example loads it, when the language has that page', async () => {
  const list = [{ type: 'example', url: '/download-mp3-tiktok' }];
  isDead = true;
  expect(await cardsOf('/de/posts', list)).toEqual([]);
  isDead = false;
  const [card] = await cardsOf('/de/posts', list);
  expect(card).toMatchObject({ title: 'Erst mal ausprobieren?' });
  expect(card?.href).toMatch(/^\/de\/download-mp3-tiktok\?url=https%3A%2F%2Fwww\.tiktok\.com%2F/);
});

test('a guide is the article in the page’s language, under its own title or another, and never on its own page', async () => {
  const list = [{ type: 'guide', url: 'sounds' }];
  expect(await cardsOf('/de/contact', list)).toMatchObject([
    { href: '/de/klaenge', title: 'de klaenge', description: 'All of it.' },
  ]);
  expect(await cardsOf('/contact', [{ ...list[0], title: { en: 'Sounds for all' } }])).toMatchObject([
    { href: '/sounds', title: 'Sounds for all', description: 'All of it.' },
  ]);
  expect(await cardsOf('/pl/contact', list)).toEqual([]);
  expect(await cardsOf('/sounds', list)).toEqual([]);
  expect(await cardsOf('/contact', [{ type: 'guide', url: 'not-there' }])).toEqual([]);
});

test('cards have a short one-line title: the brand’s name, or a short title of a bundled guide', async () => {
  const [install] = await cardsOf('/contact', [{ type: 'install' }], {}, { brand: 'Clipferry' });
  expect(install).toMatchObject({ title: 'Install Clipferry' });
  const list = [{ type: 'guide', url: 'save-tiktok-video-iphone' }];
  expect(await cardsOf('/contact', list)).toMatchObject([
    { href: '/on-iphone', title: 'Save videos on an iPhone', description: 'All of it.' },
  ]);
});

test('a card has the picture for its language, and a drawn one until that exists', async () => {
  const list = [{ ...ad, icon: 'boat-{locale}.png' }];
  expect((await cardsOf('/de/posts', list))[0]).toMatchObject({
    icon: 'sparkles',
    picture: { id: 'f0', widths: [44, 88] },
  });
  expect((await cardsOf('/posts', list))[0]).toMatchObject({ icon: 'sparkles', picture: null });
});

test('a card that names a partner appears on the pages that have one', async () => {
  const list = [
    { ...ad, title: { en: 'More from {Partner}' }, url: 'https://{partner}.example/?tag={PARTNER}' },
  ];
  const partners = { 'download-mp3-tiktok': { name: 'Sound Harbour' } };
  expect(await cardsOf('/download-mp3-tiktok', list, partners)).toMatchObject([
    { title: 'More from Sound Harbour', href: 'https://soundharbour.example/?tag=SOUNDHARBOUR' },
  ]);
  expect(await cardsOf('/', list, partners)).toEqual([]);
});

const rule = (changes: object = {}) => ({
  href: 'https://partner.example/',
  text: 'A boat',
  width: 160,
  height: 180,
  ...changes,
});

/** The ads of a page, by their places. */
function adsOf(fields: object, locale: Locale = 'de', page = 'contact', pictures = new Map<string, never>()) {
  const configuration = parseSiteConfiguration({ ...own, recommend_right_ad: undefined, ...fields });
  const of = itemPage(configuration, { locale, page }, `/${locale}/${page}`);
  const services = { configuration, messages: loadMessages, pictures, isDeadExample };
  const shown = itemsFor(promotionOf(configuration), of).map((item) => [
    item.place,
    promoted(item, services, of),
  ]);
  return Object.fromEntries(shown) as Partial<Record<Place, ReturnType<typeof promoted>>>;
}

test('each list has its place, and a place without an ad is absent', () => {
  expect(adsOf({})).toEqual({});
  const ads = adsOf({ ad_info: [rule()], ad_mobile_info: [rule({ effectUrls: ['/posts'] })] });
  expect(Object.keys(ads)).toEqual(['side']);
});

test('the banners of the footer have tags and fit their height, and come on sites that name hosts', () => {
  const recommend_info = { recommend: [rule()], new: [rule({ text: 'B', height: 40 })] };
  const { recommended, newest } = adsOf({ recommend_info, recommend_domains: ['a.example'] });
  expect(recommended).toMatchObject({ title: 'A boat', tag: 'Empfohlen', width: 52, height: 59 });
  expect(newest).toMatchObject({ title: 'B', tag: 'Neu', width: 160, height: 40 });
  expect(adsOf({ recommend_info })).toEqual({});
});

test('recognises links to this site as our own, in the language of the page', () => {
  expect(adsOf({ ad_info: [rule({ href: '/contact' })] }).side).toMatchObject({
    ...{ type: 'sister', href: '/de/contact', label: 'Von uns', close: 'Hinweis schließen' },
  });
  expect(adsOf({ ad_info: [rule()] }).side).toMatchObject({
    ...{ type: 'ad', href: 'https://partner.example/', label: 'Anzeige', close: 'Anzeige schließen' },
  });
});

test('uses the picture for the page’s language, or the text when there is none', () => {
  const made = { id: 'f0', width: 320, height: 360, widths: [160, 320] };
  const pictures = new Map([['boat-de.png', made as never]]);
  const fields = { ad_info: [rule({ img: 'boat-{locale}.png' })] };
  expect(adsOf(fields, 'de', 'contact', pictures).side?.picture).toEqual({ id: 'f0', widths: [160, 320] });
  expect(adsOf(fields, 'es', 'contact', pictures).side?.picture).toBeNull();
  expect(adsOf(fields).side?.picture).toBeNull();
});

test('shows a text in the language of the page, or in English and marked as such', () => {
  const fields = { ad_info: [rule({ text: { en: 'A boat', de: 'Ein Boot' } })] };
  const inLanguage = (locale: Locale) => {
    const { title, lang } = adsOf(fields, locale).side ?? {};
    return [title, lang];
  };
  expect(inLanguage('de')).toEqual(['Ein Boot', undefined]);
  expect(inLanguage('en')).toEqual(['A boat', undefined]);
  expect(inLanguage('ar')).toEqual(['A boat', 'en']);
});

test('ads can be disabled on the pages with videos', () => {
  const fields = { ad_info: [rule()], hideKSAd: true };
  expect(adsOf(fields, 'de', 'tiktok-downloader')).toEqual({});
  expect(adsOf(fields, 'de', 'download-mp3-tiktok')).toHaveProperty('side');
  expect(adsOf(fields)).toHaveProperty('side');
});
