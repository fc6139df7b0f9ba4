import type { Locale } from '../../../i18n/languages.ts';
import { hasRatio, pictureSource } from '../configuration/items.ts';
import type { Item, Size } from '../item.ts';

/** A picture that the site configuration names, and the items that show it. */
export interface ReferencedPicture {
  /** An `https://` address, or a path beside the configuration file. */
  readonly source: string;
  readonly items: readonly Item[];
}

/** Every picture that pages of these languages show. */
export function referencedPictures(items: readonly Item[], locales: readonly Locale[]): ReferencedPicture[] {
  const named = items.flatMap((item) => {
    const { picture } = item;
    const sources = picture === null ? [] : locales.map((locale) => pictureSource(picture, locale));
    return [...new Set(sources)].map((source) => ({ source, item }));
  });
  return [...Map.groupBy(named, ({ source }) => source)].map(([source, places]) => ({
    source,
    items: places.map(({ item }) => item),
  }));
}

/** Screens have up to four times as many pixels as CSS counts; what is more is never seen. */
const mostDensity = 4;

const sizeText = ({ width, height }: Size) => `${width}x${height}`;

/** The problems of a picture in its positions, in a few words each. @param picture its size in pixels */
export function pictureProblems({ items }: Pick<ReferencedPicture, 'items'>, picture: Size): string[] {
  const is = `is ${sizeText(picture)}`;
  const problems = items.flatMap(({ field, size, realSize }) => {
    const place = `${field} shows it in ${sizeText(size)}`;
    if (!hasRatio(picture, size)) return [`${is}, which is another ratio: ${place}`];
    if (picture.width < size.width) return [`${is}, which is too small: ${place}`];
    if (picture.width > size.width * mostDensity) return [`${is}, which is too big: ${place}`];
    if (realSize !== null && sizeText(realSize) !== sizeText(picture))
      return [`${is}, and ${field} says that it is ${sizeText(realSize)}`];
    return [];
  });
  return [...new Set(problems)];
}
