import { z } from 'zod';
import {
  defineConfiguration,
  type ModuleFields,
  pageKey,
} from '../../../web/configuration/feature-configuration.ts';
import { type Item, isTip } from '../item.ts';
import { itemFields, toCards } from './items.ts';
import {
  needsPartner,
  type PartnerName,
  type Program,
  partnerFields,
  programField,
  withPartner,
} from './program.ts';
import { type ShareConfiguration, shareConfig } from './share.ts';

/** The site's promotion. */
export interface PromotionConfiguration {
  /** In the order of the file. */
  readonly items: readonly Item[];
  /** Hosts on which the banners at the foot of desktop windows are shown. */
  readonly footerHosts: readonly string[];
  readonly isOffForVideos: boolean;
  /** Null for a site without a share bar. */
  readonly share: ShareConfiguration | null;
  /** By the key of a page for sound. */
  readonly partners: Readonly<Record<string, PartnerName>>;
}

declare module '../../../web/configuration/feature-configuration.ts' {
  interface FeatureConfigurations {
    readonly promotion: PromotionConfiguration;
  }
  interface FeatureModules {
    /** A desktop program that the page offers; null for none. */
    readonly productDialog: Program | null;
  }
}

const isForSound = ({ download_info }: ModuleFields) =>
  download_info.download_btns.every((button) => button === 'mp3' || button === 'm4a');

/** The fields of the site configuration file that promote something. */
export const promotionFields = defineConfiguration({
  fields: {
    ...itemFields,
    /** The hosts on which the banners at the foot of desktop windows are shown. */
    recommend_domains: z
      .array(z.hostname().transform((host) => host.toLowerCase()))
      .max(20)
      .default([]),
    /** Whether pages that offer videos have no ads; all others keep theirs. */
    hideKSAd: z.boolean().default(false),
    share_config: shareConfig.optional(),
    ...partnerFields,
  },
  moduleFields: {
    /** A program for computers that this page offers. */
    product_dialog_info: programField.optional(),
  },
  /** Refuses promotion that no page could show. */
  check({ index_info, index_modules, partners, recommend_right_ad }, refuse) {
    const pages = [index_info, ...index_modules];
    for (const key of Object.keys(partners))
      if (!pages.some((page) => pageKey(page) === key && isForSound(page)))
        refuse(['partners', key], 'is no key of a page for sound alone');
    pages.forEach((page, at) => {
      const { product_dialog_info: program } = page;
      if (program === undefined || !needsPartner(program) || pageKey(page) in partners) return;
      const place = at === 0 ? ['index_info'] : ['index_modules', at - 1];
      refuse(
        [...place, 'product_dialog_info'],
        `names a partner, and "partners" has none for "${pageKey(page)}"`,
      );
    });
    recommend_right_ad.list.forEach((card, at) => {
      if (card.type === 'example' && card.url !== '/' && !index_modules.some(({ url }) => url === card.url))
        refuse(['recommend_right_ad', 'list', at, 'url'], 'is no downloader page');
    });
  },
  read: (file) => ({
    promotion: {
      items: [
        ...[...file.ad_info, ...file.ad_mobile_info],
        ...Object.values(file.recommend_info).flat(),
        ...toCards(file.recommend_right_ad),
      ],
      footerHosts: file.recommend_domains,
      isOffForVideos: file.hideKSAd,
      share: file.share_config ?? null,
      partners: file.partners,
    },
  }),
  readModule: ({ product_dialog_info: program }, key, { partners }) => ({
    productDialog:
      program === undefined
        ? null
        : withPartner({ ...program, source: program.source ?? key }, partners[key]),
  }),
  // Tips about the site itself do not count.
  hasAds: ({ promotion: { items }, home, modules }) =>
    !items.every(isTip) || [home, ...modules.values()].some(({ productDialog }) => productDialog !== null),
});
