import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Locale, locales } from '../../../i18n/languages.ts';
import { type CardIcon, type CardLook, cardIcons, cardLooks } from '../cards/looks.ts';
import { isPicturePlace, pictureSource } from './ads.ts';
import { type OperatorText, operatorText } from './operator-text.ts';

/** The pages of a card; by default all. */
const place = z.strictObject({
  /** Parts of the paths that show it. */
  effectUrls: z
    .array(z.string().regex(/^[\w/.-]{1,200}$/, 'must be a part of a path, like "/posts"'))
    .default([]),
  locales: z.array(z.enum(locales)).min(1).optional(),
  /** The names of `posts_info.file_help`. */
  devices: z
    .array(z.enum(['ios', 'android', 'computer']))
    .min(1)
    .optional(),
});

const look = {
  class: z.enum(cardLooks).optional(),
  /** A drawn icon's name, or where a picture is found; the list's `icon_prefix` goes before it. */
  icon: z.string().max(200).optional(),
  show: z.union([z.boolean(), place]).default(true),
};

const title = operatorText(80);
const description = operatorText(200);

/** Our own cards have default texts in all languages. */
const ourWords = { title: title.optional(), description: description.optional() };

const card = z.discriminatedUnion('type', [
  /** Another site's card, labelled as an advertisement, or a product of the same makers. */
  z.strictObject({ type: z.enum(['ad', 'sister']), ...look, title, description, url: z.string().max(500) }),
  /** Offers the site as an app, where the browser can keep it. */
  z.strictObject({ type: z.literal('install'), ...look, ...ourWords }),
  /** Makes a downloader page load its example. */
  z.strictObject({
    type: z.literal('example'),
    ...look,
    ...ourWords,
    url: z
      .string()
      .regex(/^\/(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/, 'must be a downloader page, like "/tiktok-downloader"')
      .default('/'),
  }),
  /** Leads to an article in the languages that have it, in the article's words where there are no others. */
  z.strictObject({
    type: z.literal('guide'),
    ...look,
    ...ourWords,
    /** The article's key, which is the name of its folder. */
    url: z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be the key of an article, like "mp3-or-m4a"'),
  }),
]);

/** A path of this site without its language, or another site's address; a partner's name may stand in it. */
function isHref(text: string): boolean {
  const filled = text.replace(/\{(?:locale|partner|PARTNER)\}/g, 'x');
  return /^\/(?![/\\])/.test(filled) || (/^https:\/\/[^{}]+$/.test(filled) && URL.canParse(filled));
}

const isDrawn = (icon: string): icon is CardIcon => cardIcons.some((one) => one === icon);
/** Stays the same when cards come and go, or look otherwise. */
function idOf({ type, title, ...rest }: z.infer<typeof card>): string {
  const parts = JSON.stringify([type, 'url' in rest ? rest.url : '', title]);
  return `card-${createHash('sha256').update(parts).digest('hex').slice(0, 8)}`;
}

/** The field of the site configuration file that lists the cards at the side. */
const cardsField = z
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
    const refuse = (at: number, field: string, message: string) =>
      context.addIssue({ code: 'custom', path: ['list', at, field], message });
    const known = new Set<string>();
    list.forEach((one, at) => {
      const icon = one.icon === undefined ? undefined : icon_prefix + one.icon;
      if (icon !== undefined && !isDrawn(icon) && !isPicturePlace(pictureSource(icon, 'en')))
        refuse(
          at,
          'icon',
          `"${icon}" is neither a picture, like "ads/boat.png", nor one of ${cardIcons.join(', ')}`,
        );
      if ((one.type === 'ad' || one.type === 'sister') && !isHref(prefix + one.url))
        refuse(
          at,
          'url',
          `"${prefix}${one.url}" is neither a path that starts with one "/" nor an https:// address`,
        );
      const id = idOf(one);
      if (known.has(id))
        context.addIssue({ code: 'custom', path: ['list', at], message: 'stands here twice' });
      known.add(id);
    });
  })
  .prefault({});

/** The fields of the site configuration file that are cards. */
export const cardFields = { recommend_right_ad: cardsField };

/** A card, and where it comes. */
export interface CardRule {
  /** Its position in the file, as in "recommend_right_ad.list.0". */
  readonly field: string;
  /** Under which it is remembered that it was closed. */
  readonly id: string;
  /** The first two lead to another site or a sister site; the others are tips about this site. */
  readonly type: 'ad' | 'sister' | 'install' | 'example' | 'guide';
  readonly look: CardLook;
  /** Drawn when there is no picture. */
  readonly icon: CardIcon;
  /** The address of its picture, as for ads; null for none. */
  readonly picture: string | null;
  /** Without a text the card has words of ours. */
  readonly title: OperatorText | undefined;
  readonly description: OperatorText | undefined;
  /** A page, an address or an article's key, as the type has it. */
  readonly url: string;
  /** Parts of the paths that show it; empty for all. */
  readonly paths: readonly string[];
  /** The only languages and devices that have it; undefined for all. */
  readonly locales: readonly Locale[] | undefined;
  readonly devices: readonly ('ios' | 'android' | 'computer')[] | undefined;
}

/** Drawn where a card names no icon. */
const usualIcons = {
  ad: 'sparkles',
  sister: 'sparkles',
  install: 'device',
  example: 'download',
  guide: 'shield',
} as const satisfies Record<CardRule['type'], CardIcon>;

const cardsSchema = z.object(cardFields);

/** The file's field as the site uses it: the cards that take part. */
export function toCards({ recommend_right_ad }: z.infer<typeof cardsSchema>): readonly CardRule[] {
  const { prefix, icon_prefix, len, list } = recommend_right_ad;
  return list.slice(0, len).flatMap((one, at): CardRule[] => {
    const { type, show, title, description } = one;
    if (show === false) return [];
    const { effectUrls: paths = [], locales: only, devices } = show === true ? {} : show;
    const isTip = type !== 'ad' && type !== 'sister';
    const url = 'url' in one ? (isTip ? one.url : prefix + one.url) : '';
    const icon = one.icon === undefined ? usualIcons[type] : icon_prefix + one.icon;
    const isOurs = isDrawn(icon);
    return [
      {
        field: `recommend_right_ad.list.${at}`,
        id: idOf(one),
        type,
        look: one.class ?? (type === 'ad' ? 'graphite' : 'sea'),
        icon: isOurs ? icon : usualIcons[type],
        picture: isOurs ? null : icon,
        title: title,
        description: description,
        url,
        paths,
        locales: only,
        devices,
      },
    ];
  });
}
