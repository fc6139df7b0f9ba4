import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Locale, locales } from '../../i18n/languages.ts';
import { type CardIcon, cardIcons, cardLooks, type Item, isTip, type Place, type Size } from './item.ts';

/** A text of a form. */
export const matching = (form: RegExp, message: string) => z.string().regex(form, message);

const says = (maxLength: number) => z.string().trim().min(1).max(maxLength);

const perLanguage = (maxLength: number) => z.partialRecord(z.enum(locales), says(maxLength));

/** An operator's text for each language: without one in a page's language the item is not shown there. */
export const operatorText = (maxLength: number) =>
  perLanguage(maxLength).refine((texts) => Object.keys(texts).length > 0, 'has no text in any language');

/** A path of this site without its language, or another site's address; a language and a partner may stand in it. */
export function isHref(text: string): boolean {
  const filled = text.replace(/\{(?:locale|partner|PARTNER)\}/g, 'x');
  return /^\/(?![/\\])/.test(filled) || (/^https:\/\/[^{}]+$/.test(filled) && URL.canParse(filled));
}

/** Whether a picture can be found there: an `https://` address, or a path beside the configuration file. */
function isPicturePlace(img: string): boolean {
  const place = pictureSource(img, 'en');
  return /^https:\/\//.test(place) ? URL.canParse(place) : /^(?!.*\.\.)[\w][\w./-]*$/.test(place);
}

const pictureLocales: ReadonlySet<Locale> = new Set(['en', 'ja', 'fr', 'de', 'zh']);

/** A picture's address for a page's language: pictures exist in five languages, and English is the fallback. */
export const pictureSource = (img: string, locale: Locale): string =>
  img.replaceAll('{locale}', pictureLocales.has(locale) ? locale : 'en');

/** Whether pictures have the same shape: a difference of 2 % is invisible. */
export const hasRatio = (one: Size, other: Size): boolean =>
  Math.abs((one.width / one.height) * (other.height / other.width) - 1) <= 0.02;

/** The look of a card that names none. */
const usual = {
  ad: { look: 'graphite', icon: 'sparkles' },
  sister: { look: 'sea', icon: 'sparkles' },
  install: { look: 'sea', icon: 'device' },
  example: { look: 'sea', icon: 'download' },
  guide: { look: 'sea', icon: 'shield' },
} as const satisfies Record<Item['type'], Pick<Item, 'look' | 'icon'>>;

/** Parts of the paths that show an item; without any, every page does. */
const effectUrls = z
  .array(matching(/^[\w/.-]{1,200}$/, 'must be a part of a path, like "/posts"'))
  .default([]);

const size = z.int().min(16).max(2000);
/** Pixels of a picture. */
const realSize = z.int().min(16).max(10_000);

const wrongPicture = 'must be an https:// address or a path beside this file, like "ads/boat-{locale}.png"';

/** An ad and the pages that show it, as the specification names its fields. */
const ad = z
  .strictObject({
    img: z.string().max(500).refine(isPicturePlace, wrongPicture).optional(),
    effectUrls,
    href: z.string().refine(isHref, 'must be a path that starts with one "/" or an https:// address'),
    /** Its text, also the alternative text of its picture. */
    text: z.union([
      says(200),
      perLanguage(200).refine((texts) => texts.en !== undefined, {
        path: ['en'],
        message: 'is missing: it is for all languages without a text',
      }),
    ]),
    /** The displayed size of its picture, in CSS pixels. */
    width: size,
    height: size,
    /** The picture file's size, if different. */
    real_width: realSize.optional(),
    real_height: realSize.optional(),
  })
  .refine(
    ({ real_width: width, real_height: height, ...shown }) =>
      width === undefined || height === undefined || hasRatio({ width, height }, shown),
    { path: ['real_height'], message: 'makes another shape than "width" and "height"' },
  );

/** A list of ads. @param id under which they are closed */
function ads(field: string, place: Place, id: string) {
  const toItem = (given: z.infer<typeof ad>, at: number): Item => ({
    ...{ field: `${field}.${at}`, given, place, id },
    type: given.href.startsWith('/') ? 'sister' : 'ad',
    href: given.href,
    title: given.text,
    picture: given.img ?? null,
    size: given,
    ...usual.ad,
    paths: given.effectUrls,
  });
  const list = z.array(ad).max(100).default([]);
  return list.transform((rules) => rules.map(toItem));
}

const device = z.enum(['ios', 'android', 'computer']);

/** The pages, languages and devices of a card; by default all. */
const cardPlace = z.strictObject({
  effectUrls,
  locales: z.array(z.enum(locales)).min(1).optional(),
  /** The names of `posts_info.file_help`. */
  devices: z.array(device).min(1).optional(),
});

const look = {
  class: z.enum(cardLooks).optional(),
  /** A drawn icon's name, or where a picture is found; the list's `icon_prefix` goes before it. */
  icon: z.string().max(200).optional(),
  show: z.union([z.boolean(), cardPlace]).default(true),
};

const words = { title: operatorText(80), description: operatorText(200) };
/** Our own cards have default texts in all languages. */
const ourWords = { title: words.title.optional(), description: words.description.optional() };

const toolPage = matching(
  /^\/(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/,
  'must be a downloader page, like "/tiktok-downloader"',
);
const articleKey = matching(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be the key of an article, like "mp3-or-m4a"');

const card = z.discriminatedUnion('type', [
  /** Another site's card, labelled as an advertisement, or a product of the same makers. */
  z.strictObject({ type: z.enum(['ad', 'sister']), ...look, ...words, url: z.string().max(500) }),
  /** Offers the site as an app, where the browser can keep it. */
  z.strictObject({ type: z.literal('install'), ...look, ...ourWords }),
  /** Makes a downloader page load its example. */
  z.strictObject({ type: z.literal('example'), ...look, ...ourWords, url: toolPage.default('/') }),
  /** Leads to an article in the languages that have it, in the article's words where there are no others. */
  z.strictObject({ type: z.literal('guide'), ...look, ...ourWords, url: articleKey }),
]);

const isDrawn = (icon: string): icon is CardIcon => cardIcons.some((one) => one === icon);

/** Stays the same when cards come and go, or look otherwise. */
function cardId({ type, title, ...rest }: z.infer<typeof card>): string {
  const parts = JSON.stringify([type, 'url' in rest ? rest.url : '', title]);
  return `card-${createHash('sha256').update(parts).digest('hex').slice(0, 8)}`;
}

const cards = z
  .strictObject({
    /** Goes before the `url` of each card that is no tip. */
    prefix: z.string().max(200).default(''),
    /** Goes before each `icon`. */
    icon_prefix: z.string().max(200).default(''),
    /** Number of the list's entries in use; all by default. */
    len: z.int().min(0).optional(),
    list: z.array(card).max(100).default([]),
  })
  .superRefine(({ prefix, icon_prefix, list }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path: ['list', ...path], message });
    const ids = list.map(cardId);
    const drawn = cardIcons.join(', ');
    list.forEach((one, at) => {
      const icon = icon_prefix + one.icon;
      if (one.icon !== undefined && !isDrawn(icon) && !isPicturePlace(icon))
        refuse([at, 'icon'], `"${icon}" is neither a picture, like "ads/boat.png", nor one of ${drawn}`);
      const href = one.type === 'ad' || one.type === 'sister' ? prefix + one.url : '/';
      if (!isHref(href))
        refuse([at, 'url'], `"${href}" is neither a path that starts with one "/" nor an https:// address`);
      if (ids.indexOf(cardId(one)) !== at) refuse([at], 'stands here twice');
    });
  })
  .prefault({});

/** The cards that take part. They are read apart, because checks of the whole file see a list with mistakes as it is. */
export const toCards = ({ prefix, icon_prefix, len, list }: z.infer<typeof cards>): Item[] =>
  list.slice(0, len).flatMap((given, at) => {
    const { type, show, title, description } = given;
    if (show === false) return [];
    const { effectUrls: paths = [], locales, devices } = show === true ? {} : show;
    const url = 'url' in given ? given.url : '';
    const icon = given.icon === undefined ? usual[type].icon : icon_prefix + given.icon;
    return [
      {
        ...{ field: `recommend_right_ad.list.${at}`, given, place: 'card', id: cardId(given) },
        ...{ type, title, description, paths, locales, devices },
        href: isTip(given) ? url : prefix + url,
        look: given.class ?? usual[type].look,
        icon: isDrawn(icon) ? icon : usual[type].icon,
        picture: isDrawn(icon) ? null : icon,
        size: { width: 44, height: 44 },
      },
    ];
  });

/** The fields of the site configuration file that list items. Footer banners are closed together. */
export const itemFields = {
  /** Ads at the side of the page, on desktops. */
  ad_info: ads('ad_info', 'side', 'side-banner'),
  /** Ads at the foot of the window, on phones and tablets. */
  ad_mobile_info: ads('ad_mobile_info', 'bottom', 'bottom-banner'),
  /** Recommendations: the box, and the two banners at the foot of desktop windows. */
  recommend_info: z
    .strictObject({
      box: ads('recommend_info.box', 'box', 'recommendation'),
      recommend: ads('recommend_info.recommend', 'recommended', 'footer-banners'),
      new: ads('recommend_info.new', 'newest', 'footer-banners'),
    })
    .prefault({}),
  /** The cards at the side. */
  recommend_right_ad: cards,
};
