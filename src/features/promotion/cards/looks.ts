import type { IconName } from '../../../web/ui/icon.tsx';

/** The cards' styles: six for other sites, each named by its colour, and one for our own. */
export const cardLooks = ['scarlet', 'cobalt', 'sky', 'sunset', 'graphite', 'leaf', 'sea'] as const;

/** The name of a card's look; its colours are in `look-colours.css`. */
export type CardLook = (typeof cardLooks)[number];

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

/** A card's picture: a drawn icon's name, or the path of a file of this site. */
export type CardIcon = (typeof cardIcons)[number];
