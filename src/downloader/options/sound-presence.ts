import { LRUCache } from 'lru-cache';
import { Failure } from '../failures.ts';
import type { ByteSource } from '../media/contracts.ts';
import { readMovie } from '../media/mp4/read-movie.ts';
import type { MediaSource, Post } from '../posts/post.ts';

/** Tells whether a post has sound to offer; true also when it could not be found out. */
export type SoundPresence = (post: Post, signal: AbortSignal) => Promise<boolean>;

export interface SoundPresenceOptions {
  readonly openSource: (source: MediaSource) => ByteSource;
  /** A visitor waits no longer for this; what was not found out is offered and answered when it is asked for. */
  readonly limitMs?: number;
}

const rememberedPosts = 5_000;

/**
 * Where the platform measured a video's loudness there is sound. Where it did not, which also its smaller APIs never
 * do, the file's own table of contents says: its first kilobytes are read once for each post.
 */
export function createSoundPresence({ openSource, limitMs = 1_500 }: SoundPresenceOptions): SoundPresence {
  const known = new LRUCache<string, boolean>({ max: rememberedPosts });
  return async (post, signal) => {
    const [video] = post.videos;
    if (post.kind === 'photos' || video === undefined) return post.sound !== null;
    if (post.soundMeasured) return true;
    const key = `${post.platform}/${post.id}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    try {
      await readMovie(openSource(video.source), AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
      known.set(key, true);
      return true;
    } catch (thrown) {
      signal.throwIfAborted();
      const isSilent = thrown instanceof Failure && thrown.key === 'sound_missing';
      if (isSilent) known.set(key, false);
      return !isSilent;
    }
  };
}
