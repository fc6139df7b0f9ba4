import { Failure } from '../../failures/failures.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import type { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import type { MediaSource, Post } from '../posts/post.ts';
import { maxSoundS as maxSlideshowS } from '../slideshow/timing.ts';
import { type ChosenVideo, type ChosenVideos, isSoundSaid, soundFiles } from './choose-files.ts';
import { type FileSound, FileSounds } from './file-sounds.ts';
import { type VideoVersion, versionsOf } from './versions.ts';
import { VideoChoice } from './video-choice.ts';

/** What a post is offered as: its videos, and what its sound can be had as. */
export interface FileChoice extends ChosenVideos {
  readonly formats: readonly ('mp3' | 'm4a')[];
  /** There is a sound, but nothing can be made of it. */
  readonly isUnsupported: boolean;
  /** What is called the video is a song alone. */
  readonly isSong: boolean;
  /** Every encoding that the video can be given as, the best first; none for a slideshow and a song. */
  readonly versions: readonly ChosenVideo[];
  /** Whether one video can be made of its pictures and its sound. */
  readonly hasSlideshow: boolean;
}

/** The video that is meant: one of the two that are offered first, or a certain encoding. */
type WantedVideo = 'default' | 'hd' | VideoVersion;

/** Decides which of a post's files is given for what; the same when a post is shown and when a file is asked for. */
export interface FileChooser {
  /** @throws the signal's reason only */
  choose(post: Post, signal: AbortSignal): Promise<FileChoice>;
  /**
   * The video that a ticket stands for.
   * @throws Failure `option_missing`, or the signal's reason
   */
  video(post: Post, wanted: WantedVideo, signal: AbortSignal): Promise<ChosenVideo>;
  /** Remembers that two files do not fit together, so that they are not chosen again. */
  withdraw(post: Post, chosen: ChosenVideo): void;
}

export interface FileChooserOptions {
  readonly openSource: (source: MediaSource) => ByteSource;
  /** Where tables are left for the conversion that may follow. */
  readonly movies: Pick<Mp4IndexCache, 'read'>;
  /** Whether an mp3 can be made of such a sound on this machine. */
  readonly canEncode: (config: AacConfig) => boolean;
  /** Whether videos can be made of slideshows; nowhere when left out. */
  readonly canMakeSlideshows?: () => Promise<boolean>;
  /** A visitor waits no longer for this; what was not found out is offered and answered when it is asked for. */
  readonly limitMs?: number;
  /** The same for a sound whose loudness the platform measured: it is there, and only its kind is to be found out. */
  readonly measuredLimitMs?: number;
}

/**
 * Chooses by what the post says and, where it does not say it, by the files' own tables of contents: their first
 * kilobytes are read once, however many ask.
 */
export function createFileChooser(options: FileChooserOptions): FileChooser {
  const { openSource, movies, canEncode, limitMs = 1_500, measuredLimitMs = 500 } = options;
  const { canMakeSlideshows = async () => false } = options;
  const sounds = new FileSounds(openSource, movies);
  const videos = new VideoChoice(sounds, { limitMs, measuredLimitMs });

  function soundOf(post: Post, chosen: ChosenVideos): Pick<FileChoice, 'formats' | 'isUnsupported'> {
    const known = videos.known(post);
    const files = soundFiles(post, chosen, known).map((file) => videos.soundOf(post, file));
    const usable = files.findIndex((sound) => sound !== 'unsupported');
    if (usable !== -1) return { formats: formatsOf(files[usable]), isUnsupported: false };
    return { formats: [], isUnsupported: files.length > 0 || isSoundSaid(post) };
  }

  /** What a sound can be had as; of one that is not known, everything. */
  function formatsOf(sound: FileSound | undefined): FileChoice['formats'] {
    if (sound === 'mp3') return ['mp3'];
    return typeof sound !== 'object' || canEncode(sound.config) ? ['mp3', 'm4a'] : ['m4a'];
  }

  /** Whether a song stands where a post's video is expected. */
  function isSong(post: Post, { default: standard }: ChosenVideos): boolean {
    if (standard === null) return false;
    const sound = videos.soundOf(post, standard.picture);
    return sound === 'mp3' || (typeof sound === 'object' && sound.isSong);
  }

  async function slideshow(post: Post, signal: AbortSignal): Promise<FileChoice> {
    const none = {
      default: null,
      hd: null,
      hasSound: post.sound !== null,
      isUnsupported: false,
      isSong: false,
      versions: [],
      hasSlideshow:
        post.pictures.some(({ source }) => source !== null) &&
        (post.sound?.durationS ?? 0) <= maxSlideshowS &&
        (await canMakeSlideshows()),
    };
    if (post.sound === null) return { ...none, formats: [] };
    if (post.sound.container !== 'mp4') return { ...none, formats: ['mp3'] };
    const key = `${post.platform}/${post.id}/sound`;
    if (!sounds.has(key)) await sounds.look(key, { ...post.sound }, limitMs, signal);
    const sound = sounds.get(key);
    if (sound === 'unsupported') return { ...none, formats: [], isUnsupported: true, hasSlideshow: false };
    return { ...none, formats: formatsOf(sound) };
  }

  return {
    async choose(post, signal) {
      if (post.kind === 'photos') return slideshow(post, signal);
      const chosen = await videos.settle(post, 'all', signal);
      const song = isSong(post, chosen);
      const versions = song ? [] : versionsOf(post, videos.known(post));
      return { ...chosen, ...soundOf(post, chosen), isSong: song, versions, hasSlideshow: false };
    },
    async video(post, wanted, signal) {
      const chosen =
        typeof wanted === 'string'
          ? (await videos.settle(post, wanted, signal))[wanted]
          : await videos.version(post, wanted, signal);
      if (chosen === null) throw new Failure('option_missing', { note: 'no such video' });
      return chosen;
    },
    withdraw: (post, chosen) => videos.withdraw(post, chosen),
  };
}
