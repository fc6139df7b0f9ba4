import { LRUCache } from 'lru-cache';
import { Failure } from '../../failures/failures.ts';
import { SingleFlight } from '../async/single-flight.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import type { Mp4IndexCache } from '../media/mp4-index-cache.ts';
import { sniffSound } from '../media/sniff-sound.ts';
import type { MediaSource, Post, SeparateSound, VideoVariant } from '../posts/post.ts';
import { maxSoundS as maxSlideshowS } from '../slideshow/timing.ts';
import {
  type ChosenVideo,
  type ChosenVideos,
  chooseFiles,
  isSoundSaid,
  type KnownFiles,
  mediaFileKey,
  soundFiles,
  tracksOf,
} from './choose-files.ts';
import { isVersion, type VideoVersion, versionsOf } from './versions.ts';

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
 * What a file's own tables say about its sound: how it is encoded (and whether it is a song and no video), that there is
 * none, or that it is of no use to us; `lost` when the platform does not give the file, or something else in its place.
 */
type FileSound =
  | { readonly config: AacConfig; readonly isSong: boolean }
  | 'silent'
  | 'unsupported'
  | 'mp3'
  | 'lost';

type File = VideoVariant | SeparateSound;

/** What is asked for: all that a post has, or one video. */
type Purpose = 'all' | 'default' | 'hd';

const rememberedFiles = 10_000;
const rememberedJoins = 2_000;
/** A file that was not to be had may be there again after this. */
const lostForMs = 60_000;
/** The same for two files that could not be joined. */
const withdrawnForMs = 600_000;
/** So often a choice may turn out wrong before what is left is taken for good. */
const maxRounds = 4;
const maxLooks = 6;

/**
 * Chooses by what the post says and, where it does not say it, by the files' own tables of contents: their first
 * kilobytes are read once, however many ask.
 */
export function createFileChooser(options: FileChooserOptions): FileChooser {
  const { openSource, movies, canEncode, limitMs = 1_500, measuredLimitMs = 500 } = options;
  const { canMakeSlideshows = async () => false } = options;
  const found = new LRUCache<string, FileSound>({ max: rememberedFiles });
  const withdrawn = new LRUCache<string, true>({ max: rememberedJoins, ttl: withdrawnForMs });
  const looks = new SingleFlight<FileSound | null>();

  const keyOf = ({ platform, id }: Post, file: File) => `${platform}/${id}/${mediaFileKey(file)}`;
  const joinKey = (post: Post, picture: File, sound: File) =>
    `${keyOf(post, picture)}+${mediaFileKey(sound)}`;

  function knownOf(post: Post): KnownFiles {
    return {
      tracksOf(video) {
        const sound = found.get(keyOf(post, video));
        if (sound === undefined || sound === 'lost') return null;
        return sound === 'silent' ? 'picture' : 'whole';
      },
      isUsable(sound) {
        const what = found.get(keyOf(post, sound));
        return what !== 'silent' && what !== 'lost';
      },
      canJoin: (picture, sound) => !withdrawn.has(joinKey(post, picture, sound)),
    };
  }

  /** Finds out what a file holds, if that can be found out in time. */
  async function lookAt(
    key: string,
    file: { readonly source: MediaSource },
    waitMs: number,
    signal: AbortSignal,
  ) {
    try {
      await withTimeLimit(waitMs, signal, (limited) =>
        looks.run(key, limited, async (inner) => {
          const sound = await read(file.source, inner);
          // What cannot be had as a video is told when it is asked for; a sound may have another in its place.
          const ttl = sound === 'lost' ? { ttl: lostForMs } : {};
          if (sound !== null && (sound !== 'lost' || !('codec' in file))) found.set(key, sound, ttl);
          return sound;
        }),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Failure)) throw thrown;
    }
  }

  async function read(media: MediaSource, signal: AbortSignal): Promise<FileSound | null> {
    const source = openSource(media);
    try {
      const { sound, head } = await movies.read(media, source, signal);
      return { config: sound.config, isSong: isSoundFile(head) };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof Failure)) throw thrown;
      if (thrown.key === 'media_invalid') return (await isMp3(source, signal)) ? 'mp3' : 'lost';
      return readings[thrown.key] ?? null;
    }
  }

  /** Looks at what is no mp4: a slideshow's song may stand where its video is expected. */
  async function isMp3(source: ByteSource, signal: AbortSignal): Promise<boolean> {
    try {
      return (await sniffSound(source, signal)).kind === 'mp3';
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Failure) return false;
      throw thrown;
    }
  }

  /** Chooses, looks at what the choice leans on, and chooses again while that changes it. */
  async function settle(post: Post, purpose: Purpose, signal: AbortSignal): Promise<ChosenVideos> {
    const known = knownOf(post);
    const looked = new Set<string>();
    const waitMs = post.soundMeasured ? measuredLimitMs : limitMs;
    for (let round = 0; ; round += 1) {
      const chosen = chooseFiles(post, known);
      const toConvert = soundFiles(post, chosen, known).find(
        (file) => found.get(keyOf(post, file)) !== 'unsupported',
      );
      const files = doubtful(chosen, known, purpose);
      if (purpose === 'all' && toConvert !== undefined) files.push(toConvert);
      const open = new Map(files.map((file) => [keyOf(post, file), file]));
      for (const key of open.keys()) if (found.has(key) || looked.has(key)) open.delete(key);
      if (open.size === 0 || round === maxRounds || looked.size + open.size > maxLooks) return chosen;
      await Promise.all([...open].map(([key, file]) => lookAt(key, file, waitMs, signal)));
      for (const key of open.keys()) looked.add(key);
    }
  }

  /** A certain encoding. Its file is looked at before, since a silent one must not be given. */
  async function version(post: Post, wanted: VideoVersion, signal: AbortSignal): Promise<ChosenVideo | null> {
    const looked = new Set<string>();
    for (;;) {
      const chosen = versionsOf(post, knownOf(post)).find((one) => isVersion(wanted, one)) ?? null;
      if (chosen === null || chosen.sound !== null) return chosen;
      const key = keyOf(post, chosen.picture);
      if (found.has(key) || looked.has(key) || looked.size === maxRounds) return chosen;
      looked.add(key);
      await lookAt(key, chosen.picture, limitMs, signal);
    }
  }

  function soundOf(post: Post, chosen: ChosenVideos): Pick<FileChoice, 'formats' | 'isUnsupported'> {
    const known = knownOf(post);
    const files = soundFiles(post, chosen, known).map((file) => found.get(keyOf(post, file)));
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
    const sound = found.get(keyOf(post, standard.picture));
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
    if (!found.has(key)) await lookAt(key, { ...post.sound }, limitMs, signal);
    const sound = found.get(key);
    if (sound === 'unsupported') return { ...none, formats: [], isUnsupported: true, hasSlideshow: false };
    return { ...none, formats: formatsOf(sound) };
  }

  return {
    async choose(post, signal) {
      if (post.kind === 'photos') return slideshow(post, signal);
      const chosen = await settle(post, 'all', signal);
      const song = isSong(post, chosen);
      const versions = song ? [] : versionsOf(post, knownOf(post));
      return { ...chosen, ...soundOf(post, chosen), isSong: song, versions, hasSlideshow: false };
    },
    async video(post, wanted, signal) {
      const chosen =
        typeof wanted === 'string'
          ? (await settle(post, wanted, signal))[wanted]
          : await version(post, wanted, signal);
      if (chosen === null) throw new Failure('option_missing', { note: 'no such video' });
      return chosen;
    },
    withdraw(post, { picture, sound }) {
      if (sound !== null) withdrawn.set(joinKey(post, picture, sound), true);
    },
  };
}

const readings: Partial<Record<Failure['key'], FileSound>> = {
  sound_missing: 'silent',
  sound_unsupported: 'unsupported',
  media_unavailable: 'lost',
};

/** By the brand of its `ftyp` box, which files of sound alone have (ISO/IEC 14496-12, 4.3; Apple's `M4A `). */
const isSoundFile = (head: Buffer) => /^M4[AB] $/.test(head.toString('latin1', 8, 12));

/**
 * The files that a choice leans on without knowing what they hold. What the platform calls whole is believed of the
 * default; HD is looked at all the same, since a silent one must not be given. That a post has no sound is said only
 * when its file says so, too.
 */
function doubtful(
  { default: standard, hd, hasSound }: ChosenVideos,
  known: KnownFiles,
  purpose: Purpose,
): File[] {
  const files: File[] = [];
  if (standard !== null && (!hasSound || tracksOf(standard.picture, known) === 'unknown'))
    files.push(standard.picture);
  if (hd !== null && hasSound && hd.sound === null && purpose !== 'default') files.push(hd.picture);
  if (purpose === 'all') {
    for (const chosen of [standard, hd])
      if (chosen !== null && chosen.sound !== null) files.push(chosen.sound);
  }
  return files;
}
