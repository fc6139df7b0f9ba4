import { LRUCache } from 'lru-cache';
import { Failure } from '../../failures/failures.ts';
import { SingleFlight } from '../async/single-flight.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { AacConfig, ByteSource } from '../media/contracts.ts';
import type { RecentMovies } from '../media/recent-movies.ts';
import { sniffSound } from '../media/sniff-sound.ts';
import type { MediaSource, Post, VideoVariant } from '../posts/post.ts';
import { bestAboveDefault, type KnownSound, slideshowSoundContainer } from './options.ts';

/** Finds out what is known of the sound of a post's files. @throws the signal's reason only */
export type SoundPresence = (post: Post, signal: AbortSignal) => Promise<KnownSound>;

export interface SoundPresenceOptions {
  readonly openSource: (source: MediaSource) => ByteSource;
  /** Where tables are left for the conversion that may follow. */
  readonly movies: Pick<RecentMovies, 'read'>;
  /** Whether an mp3 can be made of such a sound on this machine. */
  readonly canEncode: (config: AacConfig) => boolean;
  /** A visitor waits no longer for this; what was not found out is offered and answered when it is asked for. */
  readonly limitMs?: number;
  /** The same for a sound whose loudness the platform measured: it is there, and only its kind is to be found out. */
  readonly measuredLimitMs?: number;
}

/** What a file's own tables say about its sound: how it is encoded, that there is none, or that it is of no use to us; and whether it is a song and no video. */
type FileSound = { readonly config: AacConfig; readonly isSong: boolean } | 'silent' | 'unsupported' | 'mp3';

const rememberedFiles = 10_000;
/** Of the files above the default so many may be silent before nobody looks any further. */
const maxLooksAbove = 3;

const everything: KnownSound = { silent: new Set(), formats: ['mp3', 'm4a'], isUnsupported: false };
const nothing: KnownSound = { silent: new Set(), formats: [], isUnsupported: false };

/**
 * The file's own table of contents says whether it has a sound, and of what kind: the first kilobytes of each file that
 * is offered are read once, however many ask.
 */
export function createSoundPresence(options: SoundPresenceOptions): SoundPresence {
  const { openSource, movies, canEncode, limitMs = 1_500, measuredLimitMs = 500 } = options;
  const known = new LRUCache<string, FileSound>({ max: rememberedFiles });
  const looks = new SingleFlight<FileSound | null>();

  /** Null when it could not be found out. */
  async function lookAt(
    key: string,
    media: MediaSource,
    signal: AbortSignal,
    waitMs = limitMs,
  ): Promise<FileSound | null> {
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    try {
      return await withTimeLimit(waitMs, signal, (limited) =>
        looks.run(key, limited, async (inner) => {
          const found = await read(media, inner);
          if (found !== null) known.set(key, found);
          return found;
        }),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Failure) return null;
      throw thrown;
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
      if (thrown.key === 'sound_missing') return 'silent';
      if (thrown.key === 'media_invalid') return isMp3(source, signal);
      return thrown.key === 'sound_unsupported' ? 'unsupported' : null;
    }
  }

  /** Looks at what is no mp4: a slideshow's song may stand where its video is expected. */
  async function isMp3(source: ByteSource, signal: AbortSignal): Promise<'mp3' | null> {
    try {
      return (await sniffSound(source, signal)).kind === 'mp3' ? 'mp3' : null;
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Failure) return null;
      throw thrown;
    }
  }

  function knownFrom(found: FileSound | null, silent: ReadonlySet<VideoVariant>): KnownSound {
    if (found === null) return { ...everything, silent };
    if (found === 'silent') return nothing;
    if (found === 'unsupported') return { silent, formats: [], isUnsupported: true };
    if (found === 'mp3') return { silent, formats: ['mp3'], isUnsupported: false, isSong: true };
    const formats = canEncode(found.config) ? (['mp3', 'm4a'] as const) : (['m4a'] as const);
    return { silent, formats, isUnsupported: false, ...(found.isSong && { isSong: true }) };
  }

  /** The files above the default that are known to be silent, as far as they would be offered. */
  async function silentAbove(post: Post, signal: AbortSignal): Promise<Set<VideoVariant>> {
    const silent = new Set<VideoVariant>();
    for (let looked = 0; looked < maxLooksAbove; looked++) {
      const video = bestAboveDefault(post, silent);
      if (video === null || (await lookAt(videoKey(post, video), video.source, signal)) !== 'silent') break;
      silent.add(video);
    }
    return silent;
  }

  return async (post, signal) => {
    const [standard] = post.videos;
    if (post.kind === 'photos') {
      if (post.sound === null) return nothing;
      if (slideshowSoundContainer(post.sound) !== 'mp4') return { ...everything, formats: ['mp3'] };
      const found = await lookAt(`${post.platform}/${post.id}/sound`, post.sound.source, signal);
      return knownFrom(found === 'silent' ? null : found, new Set());
    }
    if (standard === undefined) return nothing;
    const waitMs = post.soundMeasured ? measuredLimitMs : limitMs;
    const [found, silent] = await Promise.all([
      lookAt(videoKey(post, standard), standard.source, signal, waitMs),
      silentAbove(post, signal),
    ]);
    return knownFrom(found, silent);
  };
}

/** Addresses change with each reading of a post; its files are the same. */
function videoKey({ platform, id }: Post, { codec, width, height, bitrate, bytes }: VideoVariant): string {
  return `${platform}/${id}/${codec}-${width}x${height}-${bitrate}-${bytes}`;
}

/** By the brand of its `ftyp` box, which files of sound alone have (ISO/IEC 14496-12, 4.3; Apple's `M4A `). */
const isSoundFile = (head: Buffer) => /^M4[AB] $/.test(head.toString('latin1', 8, 12));
