import type { Content } from '../../../content/content.ts';
import { type Locale, languages } from '../../../i18n/languages.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import { type Address, linkTo, parseAddress, pathFor } from '../../../site/addressing/addresses.ts';
import { findModule, offersVideos, pageKeyOf, siteHas } from '../../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { defineService, type SiteServices } from '../../../site/loaders/services.ts';
import type { Layout } from '../../../site/overlays/layout.ts';
import {
  needsPartner,
  type PromotionConfiguration,
  promotionFields,
  withPartner,
} from '../configuration/promotion.ts';
import { type Item, isTip, type Place } from '../item.ts';
import { pictureSource } from '../item-fields.ts';
import type { PromotedPicture } from '../pictures/promoted-pictures.ts';

/** The promotion service of pages. */
interface ShownPromotion {
  /** The pictures, by where the configuration finds them. */
  readonly pictures: ReadonlyMap<string, PromotedPicture>;
  /** The configured promotion; without anything to show while the operator has switched it off. */
  now(): PromotionConfiguration;
  isOn(): boolean;
}

export const shownPromotion = defineService<ShownPromotion>('promotion');

/** Names of places by layout: the configuration's field, and what it shows. */
export const placeNames: Readonly<Record<Place, Partial<Record<Layout, string>>>> = {
  side: { desktop: 'ad_info: side banner' },
  box: { desktop: 'recommend_info.box: box', mobile: 'recommend_info.box: bar that opens a box' },
  recommended: { desktop: 'recommend_info.recommend: footer banner' },
  newest: { desktop: 'recommend_info.new: footer banner' },
  bottom: { mobile: 'ad_mobile_info: bottom banner' },
  card: { desktop: 'card:', mobile: 'card:' },
};

/** The facts that decide which items a page may have. */
export type ItemPage = ReturnType<typeof itemPage>;

/** @param path of the page, with its language */
export const itemPage = (
  configuration: SiteConfiguration,
  { locale, page }: Pick<Address, 'locale' | 'page'>,
  path: string,
) => ({
  ...{ locale, path },
  /** Whether visitors save videos on it. */
  offersVideos: offersVideos(configuration, page),
  /** The partner of a page for sound. */
  partner: promotionFields.of(configuration).partners[pageKeyOf(configuration, page)],
});

/** The items of a path: all cards, and of each other place the first one. */
export function itemsAt(items: readonly Item[], path: string): Item[] {
  const found = items.filter(({ paths }) => paths.length === 0 || paths.some((part) => path.includes(part)));
  return found.filter(
    (item) => item.place === 'card' || item === found.find(({ place }) => place === item.place),
  );
}

const textIn = (text: Item['title'], locale: Locale) => (typeof text === 'string' ? text : text?.[locale]);

/** The items that a page may have, in its language and with its partner. */
export function itemsFor(promotion: PromotionConfiguration, page: ItemPage): Item[] {
  const { locale, partner } = page;
  return itemsAt(promotion.items, page.path).filter((item) => {
    const { place, locales, href } = item;
    const texts = [textIn(item.title, locale), textIn(item.description, locale)];
    if (partner === undefined && needsPartner([...texts, href])) return false;
    if (place === 'card')
      return (locales?.includes(locale) ?? true) && (isTip(item) || !texts.includes(undefined));
    const isFooter = place === 'recommended' || place === 'newest';
    return (
      !(promotion.hideKSAd && page.offersVideos) && !(isFooter && promotion.recommend_domains.length === 0)
    );
  });
}

type Services = Pick<SiteServices, 'configuration' | 'messages' | 'isDeadExample'> &
  Pick<ShownPromotion, 'pictures'>;

export function promotionWords({ messages }: Pick<SiteServices, 'messages'>, locale: Locale) {
  return createTranslate<'cards' | 'promotion'>(locale, {
    ...messages(locale, 'promotion'),
    ...messages(locale, 'cards'),
  });
}

/** An item's target, and the words that it has where the configuration has none. */
interface Usual {
  readonly href: string | null;
  readonly title: string;
  readonly description: string;
}

/** The bundled guides whose cards have a title of their own: long article titles are cut there. */
const shortTitles = [
  ...(['save-tiktok-video-iphone', 'save-tiktok-video-android', 'save-tiktok-video-computer'] as const),
  ...(['tiktok-hd-quality-explained', 'tiktok-sound-as-ringtone'] as const),
];

/** An article's address and words, where it is written in the page's language and is not the page itself. */
async function guide(
  services: Services & { readonly content: Content },
  { locale, page }: Address,
  key: string,
): Promise<Usual | null> {
  const { configuration, content } = services;
  const found = (await content.translations(key)).find((one) => one.locale === locale);
  if (found === undefined || found.slug === page) return null;
  const article = await content.article(locale, found.slug);
  if (article === null) return null;
  const short = shortTitles.find((one) => one === key);
  return {
    href: pathFor(configuration, locale, found.slug),
    title: short === undefined ? article.title : promotionWords(services, locale)(`cards.guide.${short}`),
    description: article.description,
  };
}

/** Null when the page cannot have the item. */
function usualOf(item: Item, services: Services, locale: Locale, article: Usual | null): Usual | null {
  const { configuration } = services;
  const { brand: name } = configuration;
  const t = promotionWords(services, locale);
  const page = item.href.slice(1);
  switch (item.type) {
    case 'guide':
      return article;
    case 'install':
      return { href: null, title: t('cards.install.title', { name }), description: t('cards.install.text') };
    case 'example': {
      const module = findModule(configuration, page);
      if (module === undefined || !siteHas(configuration, page, locale)) return null;
      const { example_url } = module.download_info;
      if (services.isDeadExample(example_url)) return null;
      const href = `${linkTo(configuration, locale, page)}?url=${encodeURIComponent(example_url)}`;
      return { href, title: t('cards.example.title'), description: t('cards.example.text') };
    }
    default: {
      const isPath = item.href.startsWith('/');
      const href = isPath ? linkTo(configuration, locale, page) : item.href.replaceAll('{locale}', locale);
      return { href, title: textIn(item.title, 'en') ?? '', description: '' };
    }
  }
}

const labels = {
  ad: ['promotion.ad', 'promotion.close.ad'],
  sister: ['promotion.own', 'promotion.close.own'],
  tip: ['cards.tip', 'cards.close.tip'],
} as const;

const tags = { recommended: 'promotion.recommended', newest: 'promotion.new' } as const;

/** Pixels of a footer banner's 75, with some room around it: a higher picture is made smaller. */
const footerPictureHeight = 59;

/** An item in a page's language, ready to show. */
export type Promoted = NonNullable<ReturnType<typeof promoted>>;

/** An item of {@link itemsFor}, ready to show; null when the page cannot have it. @param article of a guide */
export function promoted(
  item: Item,
  services: Services,
  { locale, partner }: Pick<ItemPage, 'locale' | 'partner'>,
  article: Usual | null = null,
) {
  const { id, type, place, picture, size } = item;
  const usual = usualOf(item, services, locale, article);
  if (usual === null) return null;
  const t = promotionWords(services, locale);
  const own = textIn(item.title, locale);
  const said = {
    /** Null for a browser action. */
    href: usual.href,
    title: own ?? usual.title,
    /** Empty for an ad. */
    description: textIn(item.description, locale) ?? usual.description,
  };
  const [label, close] = labels[isTip({ type }) ? 'tip' : (type as 'ad' | 'sister')];
  const isFooter = place === 'recommended' || place === 'newest';
  const scale = isFooter ? Math.min(1, footerPictureHeight / size.height) : 1;
  const made = picture === null ? undefined : services.pictures.get(pictureSource(picture, locale));
  return {
    id,
    type,
    ...withPartner(said, partner),
    /** The title's, for the `lang` attribute, where it is another one than the page's. */
    ...(own === undefined && place !== 'card' && { lang: languages.en.lang }),
    /** Its files are `/pictures/{id}-{width}.{format}`. Null when there is none (yet). */
    picture: made === undefined ? null : { id: made.id, widths: made.widths },
    width: Math.round(size.width * scale),
    height: Math.round(size.height * scale),
    /** Its origin: "Advertisement", "From us", "Tip". */
    label: t(label),
    /** Names its close button. */
    close: t(close),
    /** "Recommended" or "New", of the banners at the foot of desktop windows. */
    ...(isFooter && { tag: t(tags[place]) }),
  };
}

/** `GET /api/cards?path=…`: the cards of a page, the same for all visitors. */
export type PageCards = Awaited<ReturnType<typeof pageCards>>;

/** A card, ready to show. */
export type Card = PageCards['cards'][number];

/** The cards of a page, in the configuration's order. @param path of the page, with its language */
export async function pageCards(
  services: Services & { readonly content: Content; readonly promotion: PromotionConfiguration },
  path: string,
) {
  const { configuration, promotion } = services;
  const address = parseAddress(path, configuration);
  const { locale } = address;
  const page = itemPage(configuration, address, path);
  const items = itemsFor(promotion, page).filter(({ place }) => place === 'card');
  const cards = items.map(async (item) => {
    const { type, href, look, icon, devices } = item;
    const article = type === 'guide' ? await guide(services, address, href) : null;
    const shown = promoted(item, services, page, article);
    return shown === null ? [] : [{ ...shown, look, icon, ...(devices !== undefined && { devices }) }];
  });
  return {
    /** Names the place in which they stand. */
    name: promotionWords(services, locale)('cards.name'),
    cards: (await Promise.all(cards)).flat(),
  };
}
