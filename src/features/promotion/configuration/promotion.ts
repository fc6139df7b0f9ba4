import { z } from 'zod';
import { isTip } from '../cards/card.ts';
import { type AdConfiguration, adFields, toAds } from './ads.ts';
import { type CardRule, cardFields, toCards } from './cards.ts';
import { type Partners, partnerFields } from './partners.ts';
import { type ShareConfiguration, shareFields, toShare } from './share.ts';

/** The fields of the site configuration file that promote something: a file of this folder for each kind. */
export const promotionFields = {
  ...adFields,
  ...shareFields,
  ...cardFields,
  ...partnerFields,
};

const promotionSchema = z.object(promotionFields);

/** What the site promotes. */
export interface PromotionConfiguration {
  readonly ads: AdConfiguration;
  /** Null for a site without a share bar. */
  readonly share: ShareConfiguration | null;
  /** In the order of the file. */
  readonly cards: readonly CardRule[];
  readonly partners: Partners;
}

/** What of the site configuration may promote something. */
interface PromotingSite {
  readonly promotion: PromotionConfiguration;
  readonly home: { readonly productDialog: unknown };
  readonly modules: ReadonlyMap<string, { readonly productDialog: unknown }>;
}

/** Whether any page shows something that is there to be sold, or to be known of; tips about the site itself are not. */
export const hasPromotion = ({ promotion: { ads, cards }, home, modules }: PromotingSite): boolean =>
  [ads.side, ads.bottom, ads.box, ads.recommended, ads.newest].some((rules) => rules.length > 0) ||
  cards.some((card) => !isTip(card)) ||
  [home, ...modules.values()].some(({ productDialog }) => productDialog !== null);

/** The file's fields as the site uses them. */
export function toPromotion(file: z.infer<typeof promotionSchema>): PromotionConfiguration {
  return { ads: toAds(file), share: toShare(file), cards: toCards(file), partners: file.partners };
}
