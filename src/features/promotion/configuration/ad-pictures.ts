import type { Locale } from '../../../i18n/languages.ts';
import { type AdConfiguration, type AdRule, hasRatio, pictureSource, ruleFor } from './ads.ts';
import type { PromotionConfiguration } from './promotion.ts';

/** A place in which a picture is shown, by the field that names it. */
interface PicturePlace {
  /** As in "ad_info.0". */
  readonly field: string;
  readonly rule: Pick<AdRule, 'width' | 'height' | 'real_width' | 'real_height'>;
}

/** A picture that the site configuration names, and where it is shown. */
export interface ReferencedPicture {
  /** An `https://` address, or a path beside the configuration file. */
  readonly source: string;
  readonly places: readonly PicturePlace[];
}

/** The lists of ads by the names of their fields. */
const listsOf = ({ side, bottom, box, recommended, newest }: AdConfiguration) =>
  Object.entries({
    ad_info: side,
    ad_mobile_info: bottom,
    'recommend_info.box': box,
    'recommend_info.recommend': recommended,
    'recommend_info.new': newest,
  });

/** Every rule, by its field. */
const rulesOf = (ads: AdConfiguration) =>
  listsOf(ads).flatMap(([list, rules]) => rules.map((rule, at) => ({ field: `${list}.${at}`, rule })));

/**
 * The fields of ads that none of some pages shows: no path matches, or another ad comes first.
 * @param paths of the pages, with their languages
 */
export function unseenAds(ads: AdConfiguration, paths: readonly string[]): string[] {
  const seen = new Set(listsOf(ads).flatMap(([, rules]) => paths.map((path) => ruleFor(rules, path))));
  return rulesOf(ads).flatMap(({ field, rule }) => (seen.has(rule) ? [] : [field]));
}

/** The picture on a card, in CSS pixels. */
const cardPicture = { width: 44, height: 44 };

/** Every picture that pages of these languages show. */
export function referencedPictures(
  { ads, cards }: Pick<PromotionConfiguration, 'ads' | 'cards'>,
  locales: readonly Locale[],
): ReferencedPicture[] {
  const named = [
    ...rulesOf(ads).map(({ field, rule }) => ({ field, rule, img: rule.img ?? null })),
    ...cards.map(({ field, picture }) => ({ field, rule: cardPicture, img: picture })),
  ];
  const places = new Map<string, PicturePlace[]>();
  for (const { img, ...place } of named) {
    if (img === null) continue;
    for (const source of new Set(locales.map((locale) => pictureSource(img, locale))))
      places.set(source, [...(places.get(source) ?? []), place]);
  }
  return [...places].map(([source, where]) => ({ source, places: where }));
}

/** Screens have up to four times as many pixels as CSS counts; what is more is never seen. */
const mostDensity = 4;

/** The problems of a picture in its positions, in a few words each. @param picture its size in pixels */
export function pictureProblems(
  { places }: ReferencedPicture,
  picture: { readonly width: number; readonly height: number },
): string[] {
  const is = `is ${picture.width}x${picture.height}`;
  const problems = places.flatMap(({ field, rule }) => {
    const { width, height, real_width, real_height } = rule;
    const place = `${field} shows it in ${width}x${height}`;
    if (!hasRatio(picture, rule)) return [`${is}, which is another ratio: ${place}`];
    if (picture.width < width) return [`${is}, which is too small: ${place}`];
    if (picture.width > width * mostDensity) return [`${is}, which is too big: ${place}`];
    if (real_width !== undefined && (real_width !== picture.width || real_height !== picture.height))
      return [`${is}, and ${field} says that it is ${real_width}x${real_height}`];
    return [];
  });
  return [...new Set(problems)];
}
