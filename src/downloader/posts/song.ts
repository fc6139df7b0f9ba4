import type { Post, Song } from './post.ts';

/** The song by which a post's sound is known; null for a sound that came with its post, and for one without a name. */
export function songOf({ song }: Pick<Post, 'song'>): Song | null {
  return song === null || song.isOriginal ? null : song;
}
