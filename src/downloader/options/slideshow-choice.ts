import type { TakeTurn } from '../async/turns.ts';
import type { AacConfig } from '../media/contracts.ts';
import type { Post } from '../post/post.ts';
import { maxSoundS } from '../slideshow/timing.ts';
import { type FileSounds, formatsOf } from './file-sounds.ts';

interface SlideshowOptions {
  readonly sounds: FileSounds;
  /** Whether this machine can make an mp3 of such a sound. */
  readonly canEncode: (config: AacConfig) => boolean;
  /** Whether videos can be made of slideshows. */
  readonly canMakeSlideshows: () => Promise<boolean>;
  /** Longest time for looking at the sound, in ms. */
  readonly limitMs: number;
}

/** The options of a slideshow besides its pictures. @throws the signal's reason only */
export async function chooseSlideshow(
  post: Post,
  { sounds, canEncode, canMakeSlideshows, limitMs }: SlideshowOptions,
  signal: AbortSignal,
  turn?: TakeTurn,
) {
  const hasSlideshow =
    post.pictures.some(({ source }) => source !== null) &&
    (post.sound?.durationS ?? 0) <= maxSoundS &&
    (await canMakeSlideshows());
  const choice = {
    ...{ default: null, hd: null, isUnsupported: false, isSong: false, versions: [] },
    ...{ hasSound: post.sound !== null, hasSlideshow },
  };
  if (post.sound === null) return { ...choice, formats: [] };
  if (post.sound.container !== 'mp4') return { ...choice, formats: ['mp3'] as const };
  const key = `${post.platform}/${post.id}/sound`;
  if (!sounds.has(key)) await sounds.look(key, { ...post.sound }, limitMs, signal, turn);
  const sound = sounds.get(key);
  if (sound === 'unsupported') return { ...choice, formats: [], isUnsupported: true, hasSlideshow: false };
  return { ...choice, formats: formatsOf(sound, canEncode) };
}
