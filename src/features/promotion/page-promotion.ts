import { createTranslate } from '../../i18n/translate.ts';
import { type Address, linkTo } from '../../web/addressing/addresses.ts';
import { findModule, isFixedPage, offersVideos } from '../../web/addressing/site-pages.ts';
import type { SiteServices } from '../../web/loaders/services.ts';
import type { Layout } from '../../web/overlays/layout.ts';
import { layoutsOf, pageAds } from './ads/page-ads.ts';
import { cardKinds, partnerOf } from './cards/page-cards.ts';
import type { Promotion } from './promotion.ts';
import { pageShare } from './share-bar/page-share.ts';

const everyLayout: readonly Layout[] = ['desktop', 'mobile'];

/** Whether a page is one that people pass on: a downloader, or an article, whose name is no other page's. */
function isPassedOn(configuration: SiteServices['configuration'], page: string): boolean {
  const [section = ''] = page.split('/', 1);
  return findModule(configuration, page) !== undefined || !isFixedPage(configuration, section);
}

/**
 * What a page promotes; null for nothing.
 * @param path of the page, with its language
 */
export function pagePromotion(
  {
    configuration,
    messages,
    promotedPictures,
    shownPromotion,
  }: Pick<SiteServices, 'configuration' | 'messages' | 'promotedPictures' | 'shownPromotion'>,
  { locale, page, variant }: Pick<Address, 'locale' | 'page' | 'variant'>,
  path: string,
): Promotion | null {
  const t = createTranslate<'promotion'>(locale, messages(locale, 'promotion'));
  const promotion = shownPromotion();
  const ads = pageAds(promotion.ads, {
    locale,
    path,
    offersVideos: offersVideos(configuration, page),
    pictures: promotedPictures,
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
    /** What the page promotes; null for nothing. */
    readonly promotion: Promotion | null;
  }
}
