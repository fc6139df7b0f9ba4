import type { Post, SeparateSound, VideoVariant } from '../posts/post.ts';

/** A video that can be given: a file as it is, or a picture that a separate sound is joined to. */
export interface ChosenVideo {
  readonly picture: VideoVariant;
  /** Null for a file that is given as it is. */
  readonly sound: SeparateSound | null;
}

/** What is known of a post's files beyond what the post says. */
export interface KnownFiles {
  /** What the file's own boxes say of its tracks; null when nobody has looked. */
  tracksOf(video: VideoVariant): 'whole' | 'picture' | null;
  /** False for a sound that turned out not to be one, or not to be had. */
  isUsable(sound: SeparateSound): boolean;
  /** False for two files that turned out not to fit together. */
  canJoin(picture: VideoVariant, sound: SeparateSound): boolean;
}

/** Nothing beyond what the post says. */
export const nothingKnown: KnownFiles = {
  tracksOf: () => null,
  isUsable: () => true,
  canJoin: () => true,
};

/** The videos that a post is offered as. */
export interface ChosenVideos {
  readonly default: ChosenVideo | null;
  /** The best one above the default; null where there is none. */
  readonly hd: ChosenVideo | null;
  /** False when none of the files has a sound, or can be given one. */
  readonly hasSound: boolean;
}

/** Pixels of the short side up to which a file is the default: "720p" whichever way the video is held. */
export const defaultShortSide = 720;

/**
 * Chooses among a post's files, by what is known of them: a file without a sound is no candidate while any has one.
 *
 * The default is the best H.264 of up to 720p, since it plays everywhere; one that is whole, where there is one. HD is
 * the best above it, whole or joined.
 */
export function chooseFiles(post: Post, known: KnownFiles = nothingKnown): ChosenVideos {
  const { pool, hasSound } = poolOf(post, known);
  const standard = bestDefault(pool);
  if (standard === null) return { default: null, hd: null, hasSound: false };
  const above = pool.filter(({ picture }) => shortSide(picture) > shortSide(standard.picture));
  // A post whose sound is lost is not offered in more pixels without it.
  return { default: standard, hd: hasSound || !isSoundSaid(post) ? best(above) : null, hasSound };
}

/** Whether the platform says that the video has a sound. */
export function isSoundSaid({ soundMeasured, separateSounds }: Post): boolean {
  return soundMeasured || separateSounds.length > 0;
}

/** What a file holds, by its own boxes or by what the platform says. */
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

/** The same file whenever its post is read: addresses change with each reading. */
export function mediaFileKey(file: VideoVariant | SeparateSound): string {
  if (!('codec' in file)) return `sound-${file.id}`;
  const { codec, width, height, bitrate, bytes, tracks } = file;
  return `${codec}-${width}x${height}-${bitrate}-${bytes}-${tracks}`;
}

/** Every file that may be given: none without a sound while any has one. */
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

/** The sound that the platform names for a picture, or else the best. */
function soundFor({ separateSounds }: Post, picture: VideoVariant, known: KnownFiles): SeparateSound | null {
  const usable = separateSounds.filter((sound) => known.isUsable(sound) && known.canJoin(picture, sound));
  return usable.find(({ id }) => id === picture.soundId) ?? usable[0] ?? null;
}

/** The same resolution the way a person holds the device. */
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

/** What is surely whole first; to join two files takes more of everybody. */
function certainty({ tracks }: Candidate): number {
  return { whole: 0, unknown: 1, picture: 2 }[tracks];
}

/**
 * The largest; of equals one that is surely whole, then by the platform's score where both have it, then H.264, which
 * plays everywhere, then the one of more bits.
 */
function best(pool: readonly Candidate[]): Candidate | null {
  const largest = allWithMost(pool, ({ picture }) => shortSide(picture));
  const alike = allWithMost(largest, (candidate) => -certainty(candidate));
  // Compared in two groups, the order of the list does not matter: a score says nothing against none.
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
