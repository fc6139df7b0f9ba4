import type { Layout } from '../../web/overlays/layout.ts';
import type { PageAds } from './ads/page-ads.ts';
import type { CardKinds } from './cards/card.ts';
import type { PageShare } from './share-bar/page-share.ts';

/** Words that all that is promoted has in common, in the page's language. */
export interface PromotionWords {
  /** Names all of it together. */
  readonly name: string;
  /** Says that somebody pays for it. */
  readonly ad: string;
  /** Says that it is this site's own. */
  readonly own: string;
  readonly closeAd: string;
  readonly closeOwn: string;
}

/**
 * What a page promotes, the same for all who see it; what a visitor has closed, and the layout, only the browser knows.
 */
export interface Promotion {
  readonly words: PromotionWords;
  /** The layouts that have something to show: others load no script for it. */
  readonly layouts: readonly Layout[];
  readonly ads?: PageAds;
  readonly share?: PageShare;
  /** Which kinds of cards the page may have; they are asked for when it is time for them. */
  readonly cards?: CardKinds;
}
