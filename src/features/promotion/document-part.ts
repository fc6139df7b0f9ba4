import type { Locale } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import type { Address } from '../../site/addressing/addresses.ts';
import { findModule, isFixedPage } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { DocumentPart } from '../../site/document/document-data.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { layouts } from '../../site/overlays/layout.ts';
import { type Program, programOf } from './configuration/promotion.ts';
import { isTip, type Place } from './item.ts';
import {
  itemPage,
  itemsFor,
  type Promoted,
  placeNames,
  promoted,
  promotionWords,
  shownPromotion,
} from './items/page-items.ts';
import { pageShare } from './share-bar/page-share.ts';

declare module '../../site/document/document-data.ts' {
  interface FeatureDocument {
    /** The page's promotion; null for none. */
    readonly promotion: Promotion | null;
    /** The program for computers that a downloader page offers; null for none. */
    readonly desktopApp: ProgramData | null;
  }
}

function pageProgram(services: SiteServices, { locale, page }: Address): ProgramData | null {
  const { configuration, messages } = services;
  const module = findModule(configuration, page);
  const program = module === undefined ? null : programOf(module, configuration);
  if (program === null || !shownPromotion.of(services).isOn()) return null;
  return programData(program, locale, messages, configuration);
}

/** A page's promotion, the same for all visitors; only the browser knows what a visitor has closed, and the layout. */
export type Promotion = NonNullable<ReturnType<typeof pagePromotion>>;

/** A page's promotion; null for none. */
function pagePromotion(services: SiteServices, address: Address, path: string) {
  const { configuration, messages } = services;
  const { locale, page, variant } = address;
  const { pictures, now } = shownPromotion.of(services);
  const promotion = now();
  const of = itemPage(configuration, address, path);
  const items = itemsFor(promotion, of);
  const cards = items.filter(({ place }) => place === 'card');
  const ads = items.flatMap((item) => {
    const ad = item.place === 'card' ? null : promoted(item, { ...services, pictures }, of);
    return ad === null ? [] : [[item.place, ad] as const];
  });
  // Visitors share a downloader, or an article, whose slug is no other page's.
  const [section = ''] = page.split('/', 1);
  const isShared = findModule(configuration, page) !== undefined || !isFixedPage(configuration, section);
  const share = isShared ? promotion.share_config : null;
  if (items.length === 0 && share === null) return null;
  const promos = items.filter((item) => !isTip(item));
  return {
    /** Names all of it together, in the page's language. */
    name: promotionWords(services, locale)('promotion.recommended'),
    /** The layouts that have something to show: others load no script for it. */
    layouts: layouts.filter(
      (layout) => share !== null || promos.some(({ place }) => placeNames[place][layout] !== undefined),
    ),
    ads: Object.fromEntries(ads) as Partial<Record<Place, Promoted>>,
    /** Hosts on which the banners at the foot of desktop windows are shown. */
    footerHosts: promotion.recommend_domains,
    ...(share !== null && { share: pageShare(share, { locale, variant }, messages(locale, 'share')) }),
    /** The kinds of cards that the page may have: tips wait until a visitor knows the site. Cards load when needed. */
    ...(cards.length > 0 && { cards: { promos: !cards.every(isTip), tips: cards.some(isTip) } }),
  };
}

const part: DocumentPart = (services, { address, path }) => ({
  promotion: pagePromotion(services, address, path),
  desktopApp: pageProgram(services, address),
});

export default part;

/** A program for computers that a downloader page offers, in the page's language. */
export type ProgramData = ReturnType<typeof programData>;

/** The program for one system. */
export type ProgramCell = ProgramData['cells'][number];

const inLanguage = (url: string, locale: Locale) => new URL(url.replaceAll('{locale}', locale));

/** A downloader page's texts about a desktop program. */
function programData(
  { name, type, source, source_parameter, page_url, description, cells, after_success }: Program,
  locale: Locale,
  messages: SiteServices['messages'],
  { app_ids }: Pick<SiteConfiguration, 'app_ids'>,
) {
  const t = createTranslate<'desktop-app' | 'promotion'>(locale, {
    ...messages(locale, 'promotion'),
    ...messages(locale, 'desktop-app'),
  });
  // The systems' names are the same in every language.
  const systems = { win: 'Windows', mac: 'Mac' };
  const cellFor = (system: keyof typeof systems, at: number) => {
    const { url, requires = null } = cells[system];
    const href = inLanguage(url, locale);
    href.searchParams.set(source_parameter, source);
    return {
      system,
      name: systems[system],
      href: href.href,
      requires,
      download: t('app.download', { system: systems[system] }),
      /** In statistics. */
      appId: app_ids[at],
    };
  };
  const page = typeof page_url === 'string' ? page_url : (page_url[locale] ?? page_url.default);
  return {
    /** Its origin: "Advertisement" or "From us". */
    label: t(type === 'ad' ? 'promotion.ad' : 'promotion.own'),
    title: t('app.title', { name }),
    description: description[locale] ?? t(`app.text.${type}`),
    open: t('app.open'),
    cells: [cellFor('win', 0), cellFor('mac', 1)],
    /** Said of the cell that is for the visitor's own system. */
    yours: t('app.yours'),
    leads: t('app.leads', { host: inLanguage(cells.win.url, locale).host }),
    /** The partner's own page; null when the language has none. */
    more: page === undefined ? null : { href: inLanguage(page, locale).href, text: t('app.more', { name }) },
    close: t('app.close'),
    opensAfterSuccess: after_success,
  };
}
