import type { Layout } from '../../web/overlays/layout.ts';
import type { PageAds } from './ads/page-ads.ts';
import type { CardKinds } from './cards/card.ts';
import type { PageShare } from './share-bar/page-share.ts';

/** Words that all that is promoted has in common, in the page's language. */
export interface PromotionWords {
  /** Names all of it together. */
  readonly name: string;
  /** Marks it as paid. */
  readonly ad: string;
  /** Says that it is this site's own. */
  readonly own: string;
  readonly closeAd: string;
  readonly closeOwn: string;
}

/** A page's promotion, the same for all visitors; only the browser knows what a visitor has closed, and the layout. */
export interface Promotion {
  readonly words: PromotionWords;
  /** The layouts that have something to show: others load no script for it. */
  readonly layouts: readonly Layout[];
  readonly ads?: PageAds;
  readonly share?: PageShare;
  /** The kinds of cards that the page may have; they are loaded when needed. */
  readonly cards?: CardKinds;
}
