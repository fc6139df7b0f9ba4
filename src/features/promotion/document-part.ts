import type { Address } from '../../site/addressing/addresses.ts';
import { findModule, isFixedPage } from '../../site/addressing/site-pages.ts';
import type { DocumentPart } from '../../site/document/document-data.ts';
import type { SiteServices } from '../../site/loaders/services.ts';
import { layouts } from '../../site/overlays/layout.ts';
import { type ProgramData, programData } from './app-dialog/program-data.ts';
import { programOf } from './configuration/promotion.ts';
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
