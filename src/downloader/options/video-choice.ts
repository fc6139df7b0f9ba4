import { LRUCache } from 'lru-cache';
import type { TakeTurn } from '../async/turns.ts';
import type { AacConfig } from '../media/contracts.ts';
import {
  type ChosenVideo,
  type ChosenVideos,
  chooseFiles,
  type KnownFiles,
  mediaFileKey,
  nothingKnown,
  playableFiles,
  soundFiles,
  tracksOf,
} from '../post/choose-files.ts';
import type { Post, SeparateSound, VideoVariant } from '../post/post.ts';
import type { FileSound, FileSounds } from './file-sounds.ts';

/** Distinguishes the encodings of one video, for people and in a ticket. */
export type VideoVersion = Pick<VideoVariant, 'codec' | 'width' | 'height'>;

const isVersion = (version: VideoVersion, { picture }: ChosenVideo): boolean =>
  picture.codec === version.codec && picture.width === version.width && picture.height === version.height;

/**
 * All encodings that a video can be served as, one for each codec and size, best first. Excludes silent encodings of a
 * video with sound, and encodings of unknown size.
 */
export function versionsOf(post: Post, known: KnownFiles = nothingKnown): ChosenVideo[] {
  const found: ChosenVideo[] = [];
  for (const one of playableFiles(post, known)) {
    const { picture } = one;
    if (picture.width > 0 && picture.height > 0 && !found.some((other) => isVersion(picture, other)))
      found.push(one);
  }
  const pixels = ({ picture: { width, height } }: ChosenVideo) => width * height;
  return found.toSorted(
    (one, other) => pixels(other) - pixels(one) || one.picture.codec.localeCompare(other.picture.codec),
  );
}

type File = VideoVariant | SeparateSound;

/** The request: everything that a post has, or one video. */
type Purpose = 'all' | 'default' | 'hd';

const rememberedJoins = 2_000;
/** Two files that could not be joined may fit together after this. */
const withdrawnForMs = 600_000;
/** After this many wrong choices the remaining one is used unchecked. */
const maxRounds = 4;
const maxLooks = 6;
/** HD files in a row that were what the platform says, until its word is taken; one in so many is looked at even then. */
const asSaidToTrust = 200;
const lookEvery = 20;

interface Options {
  /** How long a look may take, in ms. */
  readonly limitMs: number;
  /** The limit for a post whose sound the platform measured. */
  readonly measuredLimitMs: number;
  /** Whether this machine can make an mp3 of such a sound. */
  readonly canEncode: (config: AacConfig) => boolean;
}

/** Chooses a post's videos, and looks at the files that a choice leans on. */
export class VideoChoice {
  readonly #sounds: FileSounds;
  readonly #options: Options;
  readonly #withdrawn = new LRUCache<string, true>({ max: rememberedJoins, ttl: withdrawnForMs });

  /** Looks at HD in a row that found what the platform says. */
  #asSaid = 0;
  /** How often HD was offered on the platform's word. */
  #taken = 0;

  constructor(sounds: FileSounds, options: Options) {
    this.#sounds = sounds;
    this.#options = options;
  }

  /** The known facts about a file; undefined without any. */
  soundOf(post: Post, file: File): FileSound | undefined {
    return this.#sounds.get(keyOf(post, file));
  }

  /**
   * Which of the chosen videos cannot be cut: those with a file that is known to be in fragments, and those whose picture
   * is joined without a look at it, since the platform keeps pictures apart in fragments.
   */
  uncuttable(post: Post, chosen: ChosenVideos): ('default' | 'hd')[] {
    return (['default', 'hd'] as const).filter((name) => {
      const { picture, sound } = chosen[name] ?? {};
      if (picture && sound && !this.#sounds.has(keyOf(post, picture))) return true;
      return [picture, sound].some((file) => file && this.#sounds.isFragmented(keyOf(post, file)));
    });
  }

  /** The known facts about a post's files. */
  known(post: Post): KnownFiles {
    return {
      tracksOf: (video) => {
        const sound = this.soundOf(post, video);
        if (sound === undefined || sound === 'lost') return null;
        return sound === 'silent' ? 'picture' : 'whole';
      },
      isUsable: (sound) => {
        const what = this.soundOf(post, sound);
        return what !== 'silent' && what !== 'lost';
      },
      canJoin: (picture, sound) => !this.#withdrawn.has(joinKey(post, picture, sound)),
    };
  }

  /** Chooses, looks at what the choice leans on, and chooses again while that changes it. @throws the signal's reason */
  async settle(post: Post, purpose: Purpose, signal: AbortSignal, turn?: TakeTurn): Promise<ChosenVideos> {
    const known = this.known(post);
    const looked = new Set<string>();
    const waitMs = post.soundMeasured ? this.#options.measuredLimitMs : this.#options.limitMs;
    for (let round = 0; ; round += 1) {
      const chosen = chooseFiles(post, known);
      const toConvert = soundFiles(post, chosen, known).find(
        (file) => this.soundOf(post, file) !== 'unsupported',
      );
      const isNew = (file: File) => {
        const key = keyOf(post, file);
        return !this.#sounds.has(key) && !looked.has(key);
      };
      const hd = isSaidWhole(post, chosen.hd) && isNew(chosen.hd.picture) ? chosen.hd.picture : null;
      const isTaken = hd !== null && purpose === 'all' && this.#takesWord();
      const files = doubtful(isTaken ? { ...chosen, hd: null } : chosen, known, purpose);
      // A measured sound is in all files: one that is looked at anyway, as HD is, tells of it.
      const isHeard =
        isTaken || files.some(isNew) || post.videos.some((video) => isSound(this.soundOf(post, video)));
      if (purpose === 'all' && toConvert !== undefined && !(post.soundMeasured && isHeard))
        files.push(toConvert);
      const open = new Map(files.filter(isNew).map((file) => [keyOf(post, file), file]));
      if (open.size === 0 || round === maxRounds || looked.size + open.size > maxLooks) return chosen;
      await Promise.all([...open].map(([key, file]) => this.#sounds.look(key, file, waitMs, signal, turn)));
      for (const key of open.keys()) looked.add(key);
      if (hd !== null && files.includes(hd)) this.#compare(post, hd);
    }
  }

  /** Whether HD is offered as the platform describes it; its file is looked at when it is requested. */
  #takesWord(): boolean {
    if (this.#asSaid < asSaidToTrust) return false;
    this.#taken += 1;
    return this.#taken % lookEvery !== 0;
  }

  /** Compares what the platform says of HD, a whole file with a usual sound, with what its file says. */
  #compare(post: Post, hd: VideoVariant): void {
    const sound = this.soundOf(post, hd);
    if (sound === undefined) return;
    const isUsual = typeof sound === 'object' && !sound.isSong && this.#options.canEncode(sound.config);
    this.#asSaid = isUsual && !this.#sounds.isFragmented(keyOf(post, hd)) ? this.#asSaid + 1 : 0;
  }

  /** A certain encoding. Its file is looked at before, since a silent one must not be given. @throws the signal's reason */
  async version(post: Post, wanted: VideoVersion, signal: AbortSignal): Promise<ChosenVideo | null> {
    const looked = new Set<string>();
    for (;;) {
      const chosen = versionsOf(post, this.known(post)).find((one) => isVersion(wanted, one)) ?? null;
      if (chosen === null || chosen.sound !== null) return chosen;
      const key = keyOf(post, chosen.picture);
      if (this.#sounds.has(key) || looked.has(key) || looked.size === maxRounds) return chosen;
      looked.add(key);
      await this.#sounds.look(key, chosen.picture, this.#options.limitMs, signal);
    }
  }

  /** Remembers that two files do not fit together. */
  withdraw(post: Post, { picture, sound }: ChosenVideo): void {
    if (sound !== null) this.#withdrawn.set(joinKey(post, picture, sound), true);
  }
}

const isSaidWhole = ({ soundMeasured }: Post, hd: ChosenVideo | null): hd is ChosenVideo =>
  soundMeasured && hd?.picture.tracks === 'whole';
const isSound = (sound: FileSound | undefined) => typeof sound === 'object';
const keyOf = ({ platform, id }: Post, file: File) => `${platform}/${id}/${mediaFileKey(file)}`;
const joinKey = (post: Post, picture: File, sound: File) => `${keyOf(post, picture)}+${mediaFileKey(sound)}`;

/**
 * The files whose content a choice assumes without knowing it. For the default the platform's word is trusted; HD is
 * checked, since a silent one must not be served. A post is reported as silent only when its file confirms it.
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
