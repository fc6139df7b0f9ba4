import type { Locale } from '../../i18n/languages.ts';
import type { Device } from '../../site/browser/device/device.ts';
import type { IconName } from '../../site/ui/icon.tsx';

/** The cards' styles: six for other sites, each named by its colour, and one for our own. */
export const cardLooks = ['scarlet', 'cobalt', 'sky', 'sunset', 'graphite', 'leaf', 'sea'] as const;

/** The name of a card's look; its colours are in `cards.css`. */
type CardLook = (typeof cardLooks)[number];

/** The drawn icons that a card may have in a picture's place. */
export const cardIcons = [
  'clock',
  'device',
  'download',
  'film',
  'globe',
  'images',
  'link',
  'music',
  'phone',
  'shield',
  'sparkles',
] as const satisfies readonly IconName[];

export type CardIcon = (typeof cardIcons)[number];

/** The list of the configuration that an item is from. A page shows one ad of each place, and any number of cards. */
export type Place = 'side' | 'bottom' | 'box' | 'recommended' | 'newest' | 'card';

/** The operator's text in some languages. */
type OperatorText = Readonly<Partial<Record<Locale, string>>>;

/** CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** One promoted thing, as the configuration says it: an ad or a card. */
export interface Item {
  /** Its position in the file, as in "ad_info.0". */
  readonly field: string;
  /** Its fields in the file. */
  readonly given: object;
  readonly place: Place;
  /** Another site's, one of the same makers, or a tip about this site. */
  readonly type: 'ad' | 'sister' | 'install' | 'example' | 'guide';
  /** Its name among closed elements. */
  readonly id: string;
  /** A path without its language, an address, or an article's key, as the type has it. */
  readonly href: string;
  /** An ad's is for all languages, or falls back to English. A card comes in the languages that have its texts. */
  readonly title: OperatorText | string | undefined;
  readonly description?: OperatorText | undefined;
  /** Address or path of its picture; null for none. */
  readonly picture: string | null;
  /** Displayed size of the picture, and the file's size where configured. */
  readonly size: Size & {
    readonly real_width?: number | undefined;
    readonly real_height?: number | undefined;
  };
  /** Cards only. */
  readonly look: CardLook;
  /** Drawn on a card without a picture. */
  readonly icon: CardIcon;
  /** Parts of the paths that show it; empty for all. */
  readonly paths: readonly string[];
  /** The only languages and devices that have it; undefined for all. */
  readonly locales?: readonly Locale[] | undefined;
  readonly devices?: readonly Device[] | undefined;
}

/** Whether it is a tip, of which one comes in a day. */
export const isTip = ({ type }: Pick<Item, 'type'>): boolean => type !== 'ad' && type !== 'sister';
