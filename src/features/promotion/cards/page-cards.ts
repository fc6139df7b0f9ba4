import type { Locale } from '../../../i18n/languages.ts';
import { createTranslate } from '../../../i18n/translate.ts';
import { type Address, linkTo, parseAddress, pathFor } from '../../../web/addressing/addresses.ts';
import { pageKeyOf } from '../../../web/addressing/page-keys.ts';
import { findModule, siteHas } from '../../../web/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../../web/configuration/configuration.ts';
import type { SiteServices } from '../../../web/loaders/services.ts';
import { pictureSource } from '../configuration/ads.ts';
import type { CardRule } from '../configuration/cards.ts';
import { namesPartner, type PartnerName, withPartner } from '../configuration/partners.ts';
import type { ShownPromotion } from '../shown-promotion.ts';
import { type Card, type CardKinds, isTip, type PageCards } from './card.ts';

type Services = Pick<SiteServices, 'configuration' | 'messages' | 'content'> &
  Pick<ShownPromotion, 'pictures'>;

function pictureOf({ picture }: CardRule, { pictures }: Services, locale: Locale): Card['picture'] {
  const made = picture === null ? undefined : pictures.get(pictureSource(picture, locale));
  return made === undefined ? null : { id: made.id, widths: made.widths };
}

/** A card's default text and its target; null when the page cannot have it. */
interface Usual {
  readonly href: string | null;
  readonly title: string;
  readonly description: string;
}

/** The facts that decide which cards a page may have. */
export interface CardPage {
  readonly locale: Locale;
  /** With its language. */
  readonly path: string;
  readonly partner: PartnerName | undefined;
}

/** The rules whose cards a page may have, in its language and with its partner. */
export function rulesFor(rules: readonly CardRule[], { locale, path, partner }: CardPage): CardRule[] {
  return rules.filter(({ type, paths, locales, title, description, url }) => {
    const texts = [title?.[locale], description?.[locale]];
    return (
      (paths.length === 0 || paths.some((part) => path.includes(part))) &&
      (locales === undefined || locales.includes(locale)) &&
      (isTip({ type }) || texts.every((text) => text !== undefined)) &&
      (partner !== undefined || ![...texts, url].some((text) => text !== undefined && namesPartner(text)))
    );
  });
}

/** The kinds of cards that a page may have; null for none. */
export function cardKinds(rules: readonly CardRule[], page: CardPage): CardKinds | null {
  const here = rulesFor(rules, page);
  return here.length === 0 ? null : { promos: !here.every(isTip), tips: here.some(isTip) };
}

/** The partner of a page for sound. @param page without its language */
export const partnerOf = (configuration: SiteConfiguration, page: string): PartnerName | undefined =>
  configuration.promotion.partners[pageKeyOf(configuration, page)];

/**
 * The title of a bundled guide's card: long article titles are cut there. Others have their own title, or one in the
 * configuration.
 */
const guideTitles = {
  'save-tiktok-video-iphone': 'cards.guide.save-tiktok-video-iphone',
  'save-tiktok-video-android': 'cards.guide.save-tiktok-video-android',
  'save-tiktok-video-computer': 'cards.guide.save-tiktok-video-computer',
  'tiktok-hd-quality-explained': 'cards.guide.tiktok-hd-quality-explained',
  'tiktok-sound-as-ringtone': 'cards.guide.tiktok-sound-as-ringtone',
} as const;

const hasShortTitle = (key: string): key is keyof typeof guideTitles => Object.hasOwn(guideTitles, key);

function wordsIn({ messages }: Services, { locale }: Address) {
  return createTranslate<'cards' | 'promotion'>(locale, {
    ...messages(locale, 'promotion'),
    ...messages(locale, 'cards'),
  });
}

/** An address, or a path of this site, in the page's language. */
function promoted({ configuration }: Services, { locale }: Address, url: string): string {
  return url.startsWith('/')
    ? linkTo(configuration, locale, url.slice(1))
    : url.replaceAll('{locale}', locale);
}

function example({ configuration }: Services, { locale }: Address, url: string): string | null {
  const page = url.slice(1);
  const module = findModule(configuration, page);
  if (module === undefined || !siteHas(configuration, page, locale)) return null;
  return `${linkTo(configuration, locale, page)}?url=${encodeURIComponent(module.exampleUrl)}`;
}

/** An article's address and words, where it is written in the page's language and is not the page itself. */
async function guide(services: Services, address: Address, key: string): Promise<Usual | null> {
  const { configuration, content } = services;
  const { locale, page } = address;
  const found = (await content.translations(key)).find((one) => one.locale === locale);
  if (found === undefined || found.slug === page) return null;
  const article = await content.article(locale, found.slug);
  if (article === null) return null;
  const { description } = article;
  const title = hasShortTitle(key) ? wordsIn(services, address)(guideTitles[key]) : article.title;
  return { href: pathFor(configuration, locale, found.slug), title, description };
}

async function usualOf(rule: CardRule, services: Services, address: Address): Promise<Usual | null> {
  const t = wordsIn(services, address);
  const { name } = services.configuration;
  switch (rule.type) {
    case 'guide':
      return guide(services, address, rule.url);
    case 'install':
      return {
        href: null,
        title: t('cards.install.title', { name }),
        description: t('cards.install.text'),
      };
    case 'example': {
      const href = example(services, address, rule.url);
      return href === null
        ? null
        : { href, title: t('cards.example.title'), description: t('cards.example.text') };
    }
    default:
      return { href: promoted(services, address, rule.url), title: '', description: '' };
  }
}

async function toCard(rule: CardRule, services: Services, address: Address): Promise<Card[]> {
  const { id, type, look, icon, devices } = rule;
  const picture = pictureOf(rule, services, address.locale);
  const { locale, page } = address;
  const { configuration } = services;
  const usual = await usualOf(rule, services, address);
  if (usual === null) return [];
  const partner = partnerOf(configuration, page);
  const title = withPartner(rule.title?.[locale] ?? usual.title, partner);
  const description = withPartner(rule.description?.[locale] ?? usual.description, partner);
  const href = usual.href === null ? null : withPartner(usual.href, partner);
  // Missing in this language.
  if (!title || !description || (href === null && type !== 'install')) return [];
  const t = wordsIn(services, address);
  const [label, close] =
    type === 'ad'
      ? [t('promotion.ad'), t('promotion.close.ad')]
      : type === 'sister'
        ? [t('promotion.own'), t('promotion.close.own')]
        : [t('cards.tip'), t('cards.close.tip')];
  return [
    {
      id,
      type,
      look,
      icon,
      picture,
      label,
      title,
      description,
      close,
      href,
      ...(devices !== undefined && { devices }),
    },
  ];
}

/** The cards of a page, in the configuration's order. @param path of the page, with its language */
export async function pageCards(services: Services, path: string): Promise<PageCards> {
  const { configuration } = services;
  const address = parseAddress(path, configuration);
  const { locale, page } = address;
  const partner = partnerOf(configuration, page);
  const rules = rulesFor(configuration.promotion.cards, { locale, path, partner });
  const cards = await Promise.all(rules.map((rule) => toCard(rule, services, address)));
  return { name: wordsIn(services, address)('cards.name'), cards: cards.flat() };
}
