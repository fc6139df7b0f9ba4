import { Failure } from '../../failures/failures.ts';
import type { TakeTurn } from '../async/turns.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import type { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import { type ChosenVideo, type ChosenVideos, isSoundSaid, soundFiles } from '../post/choose-files.ts';
import type { MediaSource, Post } from '../post/post.ts';
import { maxSoundS } from '../slideshow/plan.ts';
import { FileSounds, formatsOf } from './file-sounds.ts';
import { VideoChoice, type VideoVersion, versionsOf } from './video-choice.ts';

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
async function chooseSlideshow(
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

/** The offered forms of a post: its videos, and the formats of its sound. */
export interface FileChoice extends ChosenVideos {
  readonly formats: readonly ('mp3' | 'm4a')[];
  /** There is a sound, but it cannot be converted. */
  readonly isUnsupported: boolean;
  /** The file that the platform calls the video is only a song. */
  readonly isSong: boolean;
  /** All encodings of the video that can be served, best first; empty for a slideshow or a song. */
  readonly versions: readonly ChosenVideo[];
  /** Whether one video can be made of its pictures and its sound. */
  readonly hasSlideshow: boolean;
  /** Videos of which no part can be given, since a file of theirs is in fragments, or may be; none when left out. */
  readonly uncuttable?: readonly ('default' | 'hd')[];
}

/** The video that is meant: one of the two that are offered first, or a certain encoding. */
type VideoCriteria = 'default' | 'hd' | VideoVersion;

export interface FileChooserOptions {
  readonly openSource: (source: MediaSource) => ByteSource;
  /** Keeps tables for a conversion that may follow. */
  readonly movies: Pick<Mp4IndexCache, 'read'>;
  /** Whether this machine can make an mp3 of such a sound. */
  readonly canEncode: (config: AacConfig) => boolean;
  /** Whether videos can be made of slideshows; nowhere when left out. */
  readonly canMakeSlideshows?: () => Promise<boolean>;
  /** Longest time a visitor waits for this; undetermined files are offered and checked when they are requested. */
  readonly limitMs?: number;
  /** The limit for a sound whose loudness the platform measured: it exists, and only its format is unknown. */
  readonly measuredLimitMs?: number;
}

/**
 * Decides which of a post's files serves each option; the decision is the same when a post is shown and when a file is
 * requested.
 */
export type FileChooser = ReturnType<typeof createFileChooser>;

/**
 * Chooses by the post's own statements and, where these are missing, by the files' tables: their first kilobytes are
 * read once for all callers.
 */
export function createFileChooser(options: FileChooserOptions) {
  const { openSource, movies, canEncode, limitMs = 1_500, measuredLimitMs = 500 } = options;
  const { canMakeSlideshows = async () => false } = options;
  const sounds = new FileSounds(openSource, movies);
  const videos = new VideoChoice(sounds, { limitMs, measuredLimitMs, canEncode });
  const slideshows = { sounds, canEncode, canMakeSlideshows, limitMs };

  function soundOf(post: Post, chosen: ChosenVideos): Pick<FileChoice, 'formats' | 'isUnsupported'> {
    const files = soundFiles(post, chosen, videos.known(post)).map((file) => videos.soundOf(post, file));
    const usable = files.filter((sound) => sound !== 'unsupported');
    const known = usable.find((sound) => sound !== undefined);
    if (usable.length > 0) return { formats: formatsOf(known, canEncode), isUnsupported: false };
    return { formats: [], isUnsupported: files.length > 0 || isSoundSaid(post) };
  }

  /** Whether the platform puts a song in the video's place. */
  function isSong(post: Post, { default: standard }: ChosenVideos): boolean {
    if (standard === null) return false;
    const sound = videos.soundOf(post, standard.picture);
    return sound === 'mp3' || (typeof sound === 'object' && sound.isSong);
  }

  return {
    /** @param turn turns of the visitor; files are looked at at once without them. @throws the signal's reason only */
    async choose(post: Post, signal: AbortSignal, turn?: TakeTurn): Promise<FileChoice> {
      if (post.kind === 'photos') return chooseSlideshow(post, slideshows, signal, turn);
      const chosen = await videos.settle(post, 'all', signal, turn);
      const song = isSong(post, chosen);
      const versions = song ? [] : versionsOf(post, videos.known(post));
      const uncuttable = videos.uncuttable(post, chosen);
      return { ...chosen, ...soundOf(post, chosen), isSong: song, versions, hasSlideshow: false, uncuttable };
    },
    /** The video of a ticket. @throws Failure `option_missing`, or the signal's reason */
    async video(post: Post, wanted: VideoCriteria, signal: AbortSignal): Promise<ChosenVideo> {
      const chosen =
        typeof wanted === 'string'
          ? (await videos.settle(post, wanted, signal))[wanted]
          : await videos.version(post, wanted, signal);
      if (chosen === null) throw new Failure('option_missing', { note: 'no such video' });
      return chosen;
    },
    /** Records that two files cannot be joined, so that they are not chosen again. */
    withdraw: (post: Post, chosen: ChosenVideo): void => videos.withdraw(post, chosen),
  };
}
