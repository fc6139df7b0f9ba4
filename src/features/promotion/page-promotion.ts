import { createTranslate } from '../../i18n/translate.ts';
import { type Address, linkTo } from '../../web/addressing/addresses.ts';
import { findModule, isFixedPage, offersVideos } from '../../web/addressing/site-pages.ts';
import type { SiteServices } from '../../web/loaders/services.ts';
import type { Layout } from '../../web/overlays/layout.ts';
import { layoutsOf, pageAds } from './ads/page-ads.ts';
import { cardKinds, partnerOf } from './cards/page-cards.ts';
import type { Promotion } from './promotion.ts';
import { pageShare } from './share-bar/page-share.ts';
import { shownPromotion } from './shown-promotion.ts';

const everyLayout: readonly Layout[] = ['desktop', 'mobile'];

/** Whether visitors share a page: a downloader, or an article, whose slug is no other page's. */
function isPassedOn(configuration: SiteServices['configuration'], page: string): boolean {
  const [section = ''] = page.split('/', 1);
  return findModule(configuration, page) !== undefined || !isFixedPage(configuration, section);
}

/** A page's promotion; null for none. @param path of the page, with its language */
export function pagePromotion(
  services: Pick<SiteServices, 'configuration' | 'messages' | 'featureServices'>,
  { locale, page, variant }: Pick<Address, 'locale' | 'page' | 'variant'>,
  path: string,
): Promotion | null {
  const { configuration, messages } = services;
  const { pictures, now } = shownPromotion.of(services);
  const t = createTranslate<'promotion'>(locale, messages(locale, 'promotion'));
  const promotion = now();
  const ads = pageAds(promotion.ads, {
    locale,
    path,
    offersVideos: offersVideos(configuration, page),
    pictures,
    tags: { recommended: t('promotion.recommended'), newest: t('promotion.new') },
    toHref: (of) => linkTo(configuration, locale, of.slice(1)),
  });
  const share = isPassedOn(configuration, page) ? promotion.share : null;
  const cards = cardKinds(promotion.cards, {
    locale,
    path,
    partner: partnerOf(configuration, page),
  });
  const isEverywhere = share !== null || cards?.promos === true;
  const layouts = isEverywhere ? everyLayout : layoutsOf(ads);
  if (layouts.length === 0 && cards === null) return null;
  const words = {
    name: t('promotion.recommended'),
    ad: t('promotion.ad'),
    own: t('promotion.own'),
    closeAd: t('promotion.close.ad'),
    closeOwn: t('promotion.close.own'),
  };
  return {
    words,
    layouts,
    ads,
    ...(share !== null && { share: pageShare(share, { locale, variant }, messages(locale, 'share')) }),
    ...(cards !== null && { cards }),
  };
}

declare module '../../web/document/document-data.ts' {
  interface FeatureDocument {
    /** The page's promotion; null for none. */
    readonly promotion: Promotion | null;
  }
}
