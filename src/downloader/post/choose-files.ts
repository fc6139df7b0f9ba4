import type { Post, SeparateSound, VideoVariant } from './post.ts';

/** A video that can be given: a file as it is, or a picture that a separate sound is joined to. */
export interface ChosenVideo {
  readonly picture: VideoVariant;
  /** Null for a file that is given as it is. */
  readonly sound: SeparateSound | null;
}

/** Facts about a post's files beyond those that the post states. */
export interface KnownFiles {
  /** The tracks according to the file's own boxes; null when they have not been read. */
  tracksOf(video: VideoVariant): 'whole' | 'picture' | null;
  /** False for a sound that turned out to be unusable or unavailable. */
  isUsable(sound: SeparateSound): boolean;
  /** False for two files that turned out not to fit together. */
  canJoin(picture: VideoVariant, sound: SeparateSound): boolean;
}

/** No facts beyond those that the post states. */
export const nothingKnown: KnownFiles = {
  tracksOf: () => null,
  isUsable: () => true,
  canJoin: () => true,
};

/** The videos that a post is offered as. */
export interface ChosenVideos {
  readonly default: ChosenVideo | null;
  /** The best one above the default; null when there is none. */
  readonly hd: ChosenVideo | null;
  /** False when no file has a sound and none can be joined. */
  readonly hasSound: boolean;
}

/** Short side in pixels up to which a file is the default: "720p" in either orientation. */
export const defaultShortSide = 720;

/**
 * Chooses among a post's files by the known facts: a silent file is no candidate while another has sound. The default
 * is the best H.264 of up to 720p, which plays everywhere, preferably complete in one file. HD is the best above it,
 * complete or joined.
 */
export function chooseFiles(post: Post, known: KnownFiles = nothingKnown): ChosenVideos {
  const { pool, hasSound } = poolOf(post, known);
  const standard = bestDefault(pool);
  if (standard === null) return { default: null, hd: null, hasSound: false };
  const above = pool.filter(({ picture }) => shortSide(picture) > shortSide(standard.picture));
  // A post whose sound is lost is not offered in a higher resolution without it.
  return { default: standard, hd: hasSound || !isSoundSaid(post) ? best(above) : null, hasSound };
}

/** Whether the platform says that the video has a sound. */
export function isSoundSaid({ soundMeasured, separateSounds }: Post): boolean {
  return soundMeasured || separateSounds.length > 0;
}

/** The tracks of a file, by its own boxes or by the platform's statement. */
export function tracksOf(video: VideoVariant, known: KnownFiles): VideoVariant['tracks'] {
  return known.tracksOf(video) ?? video.tracks;
}

/** The files that may hold the sound of a video, the one to convert first: separate ones have the fewest bytes. */
export function soundFiles(
  post: Post,
  { default: standard }: ChosenVideos,
  known: KnownFiles = nothingKnown,
): readonly (VideoVariant | SeparateSound)[] {
  const own = standard?.sound ?? null;
  const separate = [
    ...(own === null ? [] : [own]),
    ...post.separateSounds.filter((sound) => sound !== own && known.isUsable(sound)),
  ];
  const first = standard?.sound === null ? [standard.picture] : [];
  const others = post.videos.filter((video) => !first.includes(video));
  return [...separate, ...[...first, ...others].filter((video) => tracksOf(video, known) !== 'picture')];
}

/** Identifies a file across readings of its post: addresses change with each reading. */
export function mediaFileKey(file: VideoVariant | SeparateSound): string {
  if (!('codec' in file)) return `sound-${file.id}`;
  const { codec, width, height, bitrate, bytes, tracks } = file;
  return `${codec}-${width}x${height}-${bitrate}-${bytes}-${tracks}`;
}

/** All files that may be served: silent ones only if none has sound. */
export function playableFiles(post: Post, known: KnownFiles = nothingKnown): readonly ChosenVideo[] {
  const { pool, hasSound } = poolOf(post, known);
  return hasSound || !isSoundSaid(post) ? pool : pool.slice(0, 1);
}

function poolOf(post: Post, known: KnownFiles) {
  const candidates = post.videos.map((video) => candidateOf(post, video, known));
  const sounding = candidates.filter(({ tracks, sound }) => tracks !== 'picture' || sound !== null);
  const hasSound = sounding.length > 0;
  return { pool: hasSound ? sounding : candidates, hasSound };
}

interface Candidate extends ChosenVideo {
  readonly tracks: VideoVariant['tracks'];
}

function candidateOf(post: Post, picture: VideoVariant, known: KnownFiles): Candidate {
  const tracks = tracksOf(picture, known);
  return { picture, tracks, sound: tracks === 'picture' ? soundFor(post, picture, known) : null };
}

/** The sound that the platform assigns to a picture, else the best. */
function soundFor({ separateSounds }: Post, picture: VideoVariant, known: KnownFiles): SeparateSound | null {
  const usable = separateSounds.filter((sound) => known.isUsable(sound) && known.canJoin(picture, sound));
  return usable.find(({ id }) => id === picture.soundId) ?? usable[0] ?? null;
}

/** The shorter side, independent of orientation. */
function shortSide({ width, height }: VideoVariant): number {
  return Math.min(width, height);
}

function bestDefault(pool: readonly Candidate[]): Candidate | null {
  const h264 = pool.filter(({ picture }) => picture.codec === 'h264');
  for (const candidates of wholeFirst(h264)) {
    const small = best(candidates.filter(({ picture }) => shortSide(picture) <= defaultShortSide));
    const smallest = Math.min(...candidates.map(({ picture }) => shortSide(picture)));
    const found = small ?? best(candidates.filter(({ picture }) => shortSide(picture) === smallest));
    if (found !== null) return found;
  }
  const [whole, joined] = wholeFirst(pool);
  return best(whole) ?? best(joined);
}

function wholeFirst(pool: readonly Candidate[]): [Candidate[], Candidate[]] {
  return [pool.filter(({ sound }) => sound === null), pool.filter(({ sound }) => sound !== null)];
}

/** Files that are surely complete come first; joining two files costs everybody more. */
function certainty({ tracks }: Candidate): number {
  return { whole: 0, unknown: 1, picture: 2 }[tracks];
}

/**
 * The largest; among equals a surely complete file, then the higher score where both have one, then H.264, which plays
 * everywhere, then the higher bit rate.
 */
function best(pool: readonly Candidate[]): Candidate | null {
  const largest = allWithMost(pool, ({ picture }) => shortSide(picture));
  const alike = allWithMost(largest, (candidate) => -certainty(candidate));
  // Compared in two groups, so that the list's order does not matter: a score cannot be compared with a missing one.
  const scored = allWithMost(
    alike.filter(({ picture }) => picture.quality !== null),
    ({ picture }) => picture.quality ?? 0,
  );
  const unscored = alike.filter(({ picture }) => picture.quality === null);
  const plainest = allWithMost([...unscored, ...scored], ({ picture }) => (picture.codec === 'h264' ? 1 : 0));
  return allWithMost(plainest, ({ picture }) => picture.bitrate ?? 0)[0] ?? null;
}

function allWithMost<Item>(items: readonly Item[], value: (item: Item) => number): Item[] {
  const most = Math.max(...items.map(value));
  return items.filter((item) => value(item) === most);
}
