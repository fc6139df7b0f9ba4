import type { Device } from '../../../web/browser/device/device.ts';
import type { PromotedPicture } from '../pictures/promoted-pictures.ts';
import type { CardIcon, CardLook } from './looks.ts';

/** The part of a prepared picture that determines its file names: `/pictures/{id}-{width}.{format}`. */
type PicturePart = Pick<PromotedPicture, 'id' | 'widths'>;

/** A card, ready to show. */
export interface Card {
  /** Under which it is remembered that it was closed. */
  readonly id: string;
  /** The first two lead to another site or a sister site; the others are tips about this site. */
  readonly type: 'ad' | 'sister' | 'install' | 'example' | 'guide';
  readonly look: CardLook;
  /** Drawn when there is no picture. */
  readonly icon: CardIcon;
  readonly picture: PicturePart | null;
  /** Its origin: "Advertisement", "From us", "Tip". */
  readonly label: string;
  readonly title: string;
  readonly description: string;
  /** The close button's label. */
  readonly close: string;
  /** Its target; null for a browser action. */
  readonly href: string | null;
  /** The only devices that have it; undefined for all. */
  readonly devices?: readonly Device[];
}

/** `GET /api/cards?path=…`: the cards of a page, the same for all visitors. */
export interface PageCards {
  /** Names the place in which they stand. */
  readonly name: string;
  readonly cards: readonly Card[];
}

/** Whether a card is a tip, of which one comes in a day. */
export const isTip = ({ type }: Pick<Card, 'type'>): boolean => type !== 'ad' && type !== 'sister';

/** The kinds of cards that a page may have. */
export interface CardKinds {
  /** Another site's, or a sister site's. */
  readonly promos: boolean;
  /** About this site: they wait until a visitor knows it. */
  readonly tips: boolean;
}
