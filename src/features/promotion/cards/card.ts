import type { Device } from '../../../web/browser/device/device.ts';
import type { PromotedPicture } from '../pictures/promoted-pictures.ts';
import type { CardIcon, CardLook } from './looks.ts';

/** What of a picture that was made beforehand names its files: `/pictures/{id}-{width}.{format}`. */
type PicturePart = Pick<PromotedPicture, 'id' | 'widths'>;

/** A card, ready to show. */
export interface Card {
  /** Under which it is remembered that it was closed. */
  readonly id: string;
  /** The first two lead to somebody else, or to a sister; the others are tips about this site. */
  readonly type: 'ad' | 'sister' | 'install' | 'example' | 'guide';
  readonly look: CardLook;
  /** Drawn where there is no picture. */
  readonly icon: CardIcon;
  readonly picture: PicturePart | null;
  /** Says whose it is: "Advertisement", "From us", "Tip". */
  readonly label: string;
  readonly title: string;
  readonly description: string;
  /** What the control says that closes it. */
  readonly close: string;
  /** Where it leads; null for what the browser does by itself. */
  readonly href: string | null;
  /** The only devices that have it; undefined for all. */
  readonly devices?: readonly Device[];
}

/** `GET /api/cards?path=…`: the cards of a page, the same for everybody who sees it. */
export interface PageCards {
  /** Names the place in which they stand. */
  readonly name: string;
  readonly cards: readonly Card[];
}

/** Whether a card is a tip, of which one comes in a day. */
export const isTip = ({ type }: Pick<Card, 'type'>): boolean => type !== 'ad' && type !== 'sister';

/** What cards a page may have. */
export interface CardKinds {
  /** Somebody else's, or a sister's. */
  readonly promos: boolean;
  /** About this site: they wait until a visitor knows it. */
  readonly tips: boolean;
}
