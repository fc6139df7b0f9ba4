import { z } from 'zod';
import { type Locale, locales } from '../../../i18n/languages.ts';

/** An ad's target: another site, or a page of this one without its language. */
const adHref = z.string().refine((url) => /^\/(?![/\\])/.test(url) || /^https:\/\//.test(url), {
  message: 'must be a path that starts with one "/" or an https:// address',
});

/** A picture's address, or its path beside the configuration file; the page's language may stand in it. */
const adPicture = z
  .string()
  .max(500)
  .refine((img) => isPicturePlace(img.replaceAll('{locale}', 'en')), {
    message: 'must be an https:// address or a path beside this file, like "ads/boat-{locale}.png"',
  });

const says = z.string().trim().min(1).max(200);

/** One text for all languages, or one for each; English is the fallback. */
const adText = z.union([
  says,
  z.partialRecord(z.enum(locales), says).refine((texts) => texts.en !== undefined, {
    path: ['en'],
    message: 'is missing: it is for all languages without a text',
  }),
]);

/** CSS pixels. */
const size = z.int().min(16).max(2000);
/** Pixels of a picture. */
const realSize = z.int().min(16).max(10_000);

/** Tolerance for a picture's aspect ratio: a smaller difference is invisible. */
const ratioTolerance = 0.02;

/** Whether a picture's aspect ratio fits its position. */
export const hasRatio = (
  picture: { readonly width: number; readonly height: number },
  place: { readonly width: number; readonly height: number },
): boolean => Math.abs((picture.width / picture.height) * (place.height / place.width) - 1) <= ratioTolerance;

/** An ad and the pages that show it, as the specification names its fields. */
const adRule = z
  .strictObject({
    img: adPicture.optional(),
    /** Parts of the paths that show it; without any, every page does. */
    effectUrls: z
      .array(z.string().regex(/^[\w/.-]{1,200}$/, 'must be a part of a path, like "/posts"'))
      .default([]),
    href: adHref,
    /** Its text, also the alternative text of its picture. */
    text: adText,
    /** The displayed size of its picture, in CSS pixels. */
    width: size,
    height: size,
    /** Of the picture's file, if different. */
    real_width: realSize.optional(),
    real_height: realSize.optional(),
  })
  .superRefine(({ width, height, real_width, real_height }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((real_width === undefined) !== (real_height === undefined))
      refuse(real_width === undefined ? 'real_width' : 'real_height', 'is missing beside the other one');
    else if (real_width !== undefined && real_height !== undefined) {
      const real = { width: real_width, height: real_height };
      if (!hasRatio(real, { width, height }))
        refuse('real_height', `${real_width}x${real_height} has another shape than ${width}x${height}`);
    }
  });

const adRules = z.array(adRule).max(100).default([]);

/** The fields of the site configuration file that are ads; of each list, a page shows the first that is for it. */
export const adFields = {
  /** At the side of the page, on desktops. */
  ad_info: adRules,
  /** At the foot of the window, on phones and tablets. */
  ad_mobile_info: adRules,
  /** Recommendations: the box, and the two banners at the foot of desktop windows. */
  recommend_info: z.strictObject({ box: adRules, recommend: adRules, new: adRules }).prefault({}),
  /** The hosts on which those two banners are shown. */
  recommend_domains: z
    .array(z.hostname().transform((host) => host.toLowerCase()))
    .max(20)
    .default([]),
  /** Whether pages that offer videos have no ads; all others keep theirs. */
  hideKSAd: z.boolean().default(false),
};

/** Whether a picture can be found there: an `https://` address, or a path beside the configuration file. */
export function isPicturePlace(img: string): boolean {
  if (/^https:\/\//.test(img)) return URL.canParse(img);
  return /^(?!.*\.\.)[\w][\w./-]*$/.test(img);
}

/** One ad with its pages. */
export type AdRule = Readonly<z.infer<typeof adRule>>;

/** The ads of the site configuration, by their places; of each list, a page shows the first that is for it. */
export interface AdConfiguration {
  readonly side: readonly AdRule[];
  readonly bottom: readonly AdRule[];
  readonly box: readonly AdRule[];
  readonly recommended: readonly AdRule[];
  readonly newest: readonly AdRule[];
  /** Hosts on which {@link recommended} and {@link newest} are shown. */
  readonly footerHosts: readonly string[];
  readonly isOffForVideos: boolean;
}

const adSchema = z.object(adFields);

/** The file's fields as the site uses them. */
export function toAds(file: z.infer<typeof adSchema>): AdConfiguration {
  const { box, recommend, new: newest } = file.recommend_info;
  return {
    side: file.ad_info,
    bottom: file.ad_mobile_info,
    box,
    recommended: recommend,
    newest,
    footerHosts: file.recommend_domains,
    isOffForVideos: file.hideKSAd,
  };
}

/** The ad of a list that a page shows: the first that is for it. @param path of the page, with its language */
export const ruleFor = (rules: readonly AdRule[], path: string): AdRule | undefined =>
  rules.find(({ effectUrls }) => effectUrls.length === 0 || effectUrls.some((part) => path.includes(part)));

const pictureLocales: ReadonlySet<Locale> = new Set(['en', 'ja', 'fr', 'de', 'zh']);

/** An ad's text in a page's language. @returns also the text's language, null when unknown */
export function textFor(
  { text }: AdRule,
  locale: Locale,
): { readonly text: string; readonly in: Locale | null } {
  if (typeof text === 'string') return { text, in: null };
  const own = text[locale];
  return own === undefined ? { text: text.en ?? '', in: 'en' } : { text: own, in: locale };
}

/**
 * The address of an ad's picture for a page's language: pictures exist in five languages, and English is the fallback.
 */
export const pictureSource = (img: string, locale: Locale): string =>
  img.replaceAll('{locale}', pictureLocales.has(locale) ? locale : 'en');
