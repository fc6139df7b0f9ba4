import { Failure } from '../../failures/failures.ts';
import type { Post, Song } from './post.ts';

/** The song by which a post's sound is known; null for a sound that came with its post, and for one without a name. */
export function songOf({ song }: Pick<Post, 'song'>): Song | null {
  return song === null || song.isOriginal ? null : song;
}

/**
 * The sound that a post uses, whole and under its own name, as a post of its own.
 * @throws Failure `sound_missing` when the platform has no file of it
 */
export function asSong(post: Post): Post {
  const sound = post.sound ?? post.songFile;
  if (!sound) throw new Failure('sound_missing', { note: 'the sound has no file' });
  const { song, author } = post;
  return {
    ...post,
    ...{
      kind: 'photos',
      videos: [],
      separateSounds: [],
      pictures: [],
      captions: undefined,
      isThin: undefined,
    },
    ...{ sound, songFile: undefined, durationS: sound.durationS ?? 0 },
    author: { handle: author.handle, name: song?.artist ?? author.name },
    title: song?.title ?? post.title,
    cover: song?.cover ?? post.cover,
  };
}
