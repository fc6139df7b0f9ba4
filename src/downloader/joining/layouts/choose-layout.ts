import { type FragmentTrack, layOutFragments } from './fragmented.ts';
import type { Layout } from './layout.ts';
import { layOutTables } from './progressive.ts';

/** Reckons the joined file: with tables where both files have such alone, else in fragments. @throws Failure `media_invalid` */
export function layOut(picture: FragmentTrack, sound: FragmentTrack): Layout {
  const hasFragments = picture.fragments !== null || sound.fragments !== null;
  return !hasFragments && picture.table !== null && sound.table !== null
    ? layOutTables(picture.table, sound.table)
    : layOutFragments(picture, sound);
}
