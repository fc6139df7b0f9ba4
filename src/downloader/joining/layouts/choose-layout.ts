import { type FragmentTrack, layOutFragments } from './fragmented.ts';
import type { Layout } from './layout.ts';
import { layOutTables } from './progressive.ts';

/**
 * Computes the layout of the joined file: with sample tables when both files have only those, else in fragments.
 * @throws Failure `media_invalid`
 */
export function layOut(picture: FragmentTrack, sound: FragmentTrack): Layout {
  const hasFragments = picture.fragments !== null || sound.fragments !== null;
  return !hasFragments && picture.table !== null && sound.table !== null
    ? layOutTables(picture.table, sound.table)
    : layOutFragments(picture, sound);
}
