import { z } from 'zod';
import { locales } from '../../../i18n/languages.ts';
import { listModules } from '../../../site/addressing/site-pages.ts';
import {
  type DownloaderModule,
  defineConfiguration,
  pageKey,
  type SiteConfiguration,
} from '../../../site/configuration/configuration.ts';
import { isTip } from '../item.ts';
import { isHref, itemFields, matching, operatorText, toCards } from '../item-fields.ts';
import { shareConfig } from '../share-bar/share.ts';

const word = matching(/^[\p{L}\p{N}_-]{1,40}$/u, 'must be one word of letters, digits, "-" and "_"');

const partner = z
  .strictObject({
    /** Its spelling in texts. */
    name: z.string().trim().min(1).max(40),
    /** In small letters, as addresses write it; made of the name when it is left out. */
    lower: word.optional(),
    /** In capitals, as tags write it; made of the name when it is left out. */
    upper: word.optional(),
  })
  .transform(({ name, lower, upper }) => {
    const bare = name.replace(/[^\p{L}\p{N}]/gu, '');
    return { Partner: name, partner: lower ?? bare.toLowerCase(), PARTNER: upper ?? bare.toUpperCase() };
  });

/** A partner's name as it is written in texts, in small letters, and in capitals: each by the word it stands for. */
export type PartnerName = Readonly<z.infer<typeof partner>>;

const placeholder = /\{(partner|Partner|PARTNER)\}/g;

/** Whether a text of something has a partner's name to be put into it. */
export const needsPartner = (thing: object): boolean => JSON.stringify(thing).search(placeholder) >= 0;

/** Inserts a partner's name into all texts and addresses of something that is plain data. */
export function withPartner<T extends object>(thing: T, partner: PartnerName | undefined): T {
  if (partner === undefined) return thing;
  return JSON.parse(JSON.stringify(thing), (_, value: unknown) =>
    typeof value === 'string'
      ? value.replace(placeholder, (_name, form: keyof PartnerName) => partner[form])
      : value,
  );
}

/** An address of a partner's, with places for the page's language and the partner's name. */
const partnerUrl = z
  .string()
  .refine(
    (url) => isHref(url) && !url.startsWith('/'),
    'must be an https:// address; "{locale}", "{partner}" and "{PARTNER}" may stand in it',
  );

const cell = z.strictObject({
  url: partnerUrl,
  /** Its requirements, in language-independent words: "Windows 10". */
  requires: z.string().trim().min(1).max(40).optional(),
});

/** The field of a downloader page that offers a program for computers in a dialog. */
const programField = z.strictObject({
  /** The program's name. */
  name: z.string().trim().min(1).max(60).default('{Partner}'),
  /** Its maker: a partner, which makes it an advertisement, or this site. */
  type: z.enum(['ad', 'own']).default('ad'),
  /** Its purpose; the default is a sentence that is always true. */
  description: operatorText(200).default({}),
  /** One for each system. */
  cells: z.strictObject({ win: cell, mac: cell }),
  /** Says to the partner which page a visitor comes from; the page's key when it is left out. */
  source: matching(/^[\w.-]{1,60}$/, 'must be letters, digits, "_", "." and "-"').optional(),
  /** The query parameter that says it. */
  source_parameter: matching(/^[A-Za-z]\w{0,39}$/, 'must be the name of a query parameter').default('source'),
  /** The partner's page about it: one address, or one for each language, "default" being that of the others. */
  page_url: z.union([partnerUrl, z.partialRecord(z.enum([...locales, 'default']), partnerUrl)]).default({}),
  /** Whether it opens by itself once a first download went well. */
  after_success: z.boolean().default(false),
});

/** A program for computers that a downloader page offers; "{locale}" may still stand in its addresses. */
export type Program = Readonly<z.infer<typeof programField>> & { readonly source: string };

const host = z.hostname().transform((name) => name.toLowerCase());

const isForSound = ({ download_info }: Pick<DownloaderModule, 'download_info'>) =>
  download_info.download_btns.every((button) => button === 'mp3' || button === 'm4a');

/** The fields of the site configuration file that promote something. */
export const promotionFields = defineConfiguration({
  fields: {
    ...itemFields,
    /** The hosts on which the banners at the foot of desktop windows are shown. */
    recommend_domains: z.array(host).max(20).default([]),
    /** Whether pages that offer videos have no ads; all others keep theirs. */
    hideKSAd: z.boolean().default(false),
    share_config: shareConfig.optional(),
    /** The partners of pages for sound, by the pages' keys. */
    partners: z.record(z.string(), partner).default({}),
  },
  moduleFields: { product_dialog_info: programField.optional() },
  /** Refuses promotion that no page could show. */
  check({ index_info, index_modules, partners, recommend_right_ad }, refuse) {
    const pages = [index_info, ...index_modules];
    for (const key of Object.keys(partners))
      if (!pages.some((page) => pageKey(page) === key && isForSound(page)))
        refuse(['partners', key], 'is no key of a page for sound alone');
    pages.forEach((page, at) => {
      const { product_dialog_info: program } = page;
      if (program === undefined || !needsPartner(program) || pageKey(page) in partners) return;
      const place = [...(at === 0 ? ['index_info'] : ['index_modules', at - 1]), 'product_dialog_info'];
      refuse(place, `names a partner, and "partners" has none for "${pageKey(page)}"`);
    });
    recommend_right_ad.list.forEach((card, at) => {
      if (card.type === 'example' && card.url !== '/' && !index_modules.some(({ url }) => url === card.url))
        refuse(['recommend_right_ad', 'list', at, 'url'], 'is no downloader page');
    });
  },
  // Tips about the site itself do not count.
  hasAds(configuration): boolean {
    return (
      !promotionOf(configuration).items.every(isTip) ||
      listModules(configuration).some((module) => programOf(module, configuration) !== null)
    );
  },
});

/** The site's promotion. */
export function promotionOf(configuration: SiteConfiguration) {
  const { ad_info, ad_mobile_info, recommend_info, recommend_right_ad, ...fields } =
    promotionFields.of(configuration);
  return {
    ...{ recommend_domains: fields.recommend_domains, hideKSAd: fields.hideKSAd },
    share_config: fields.share_config ?? null,
    /** The file's order. */
    items: [ad_info, ad_mobile_info, ...Object.values(recommend_info), toCards(recommend_right_ad)].flat(),
  };
}

/** The site's promotion: items and their places. `share_config` is null for a site without a share bar. */
export type PromotionConfiguration = ReturnType<typeof promotionOf>;

/** The desktop program that a downloader page offers; null for none. */
export function programOf(module: DownloaderModule, configuration: SiteConfiguration): Program | null {
  const { product_dialog_info: program } = promotionFields.ofModule(module);
  if (program === undefined) return null;
  const { partners } = promotionFields.of(configuration);
  return withPartner({ ...program, source: program.source ?? module.elk_key }, partners[module.elk_key]);
}
