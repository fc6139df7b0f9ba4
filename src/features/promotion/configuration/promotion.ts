import { z } from 'zod';
import { defineConfiguration } from '../../../web/configuration/feature-configuration.ts';
import { isTip } from '../cards/card.ts';
import { type AdConfiguration, adFields, toAds } from './ads.ts';
import { type CardRule, cardFields, toCards } from './cards.ts';
import { checkPromotion } from './check.ts';
import { type Partners, partnerFields } from './partners.ts';
import { type ProductDialog, productDialogField, toProductDialog } from './product-dialog.ts';
import { type ShareConfiguration, shareFields, toShare } from './share.ts';

/** A file of this folder for each kind. */
const fields = {
  ...adFields,
  ...shareFields,
  ...cardFields,
  ...partnerFields,
};

const promotionSchema = z.object(fields);

/** The site's promotion. */
export interface PromotionConfiguration {
  readonly ads: AdConfiguration;
  /** Null for a site without a share bar. */
  readonly share: ShareConfiguration | null;
  /** In the order of the file. */
  readonly cards: readonly CardRule[];
  readonly partners: Partners;
}

/** The parts of the site configuration that may promote something. */
interface PromotingSite {
  readonly promotion: PromotionConfiguration;
  readonly home: { readonly productDialog: unknown };
  readonly modules: ReadonlyMap<string, { readonly productDialog: unknown }>;
}

/** Whether any page shows ads or promotions; tips about the site itself do not count. */
const hasPromotion = ({ promotion: { ads, cards }, home, modules }: PromotingSite): boolean =>
  [ads.side, ads.bottom, ads.box, ads.recommended, ads.newest].some((rules) => rules.length > 0) ||
  cards.some((card) => !isTip(card)) ||
  [home, ...modules.values()].some(({ productDialog }) => productDialog !== null);

function toPromotion(file: z.infer<typeof promotionSchema>): PromotionConfiguration {
  return { ads: toAds(file), share: toShare(file), cards: toCards(file), partners: file.partners };
}

declare module '../../../web/configuration/feature-configuration.ts' {
  interface FeatureConfigurations {
    readonly promotion: PromotionConfiguration;
  }
  interface FeatureModules {
    /** A desktop program that the page offers; null for none. */
    readonly productDialog: ProductDialog | null;
  }
}

/** The fields of the site configuration file that promote something. */
export const promotionFields = defineConfiguration({
  fields,
  moduleFields: {
    /** A program for computers that this page offers. */
    product_dialog_info: productDialogField.optional(),
  },
  check: checkPromotion,
  read: (file) => ({ promotion: toPromotion(file) }),
  readModule: ({ product_dialog_info: dialog }, key, { partners }) => ({
    productDialog: dialog === undefined ? null : toProductDialog(dialog, key, partners[key]),
  }),
  hasAds: hasPromotion,
});
