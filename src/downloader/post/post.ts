/** The result of the extractors, and the input of everything after them. */
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';

/** What other instances wrote is read by these schemas, and not changed afterwards. */
type Unchanged<T> = T extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Unchanged<T[Name]> }
    : T;

/**
 * A platform's name, `[a-z][a-z0-9]{0,15}`: unique, since it is part of keys. `extractors/platforms.ts` lists all
 * platforms.
 */
export type PlatformName = string;

/** A platform's name. It prefixes ids in tickets, keys and metrics, and contains none of their separators. */
export const platformName = z.string().regex(/^[a-z][a-z0-9]{0,15}$/);

/** A post's id, opaque to everything but its platform. Capitals count. */
export const postId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** A number; null where the platform does not say. */
const amount = z.number().nullable();

export const referenceSchema = z.object({
  platform: platformName,
  /** `[A-Za-z0-9_-]{1,64}`; capitals count, and what looks like a number may be larger than 2^53. */
  id: postId,
  /** The egress of its last reading, preferred for the next; undefined when there is only one. */
  egress: z.string().optional(),
});
/** A post named without doubt: enough to build every request to the platform. */
export type PostReference = Unchanged<z.infer<typeof referenceSchema>>;

/** A short link's code, which only the platform can resolve. Codes are case-sensitive. */
export interface ShortLink {
  readonly platform: PlatformName;
  readonly code: string;
}

const mediaSource = z.object({
  /** Addresses of the same bytes, best first. Sent verbatim: rebuilding a query breaks its signature. */
  urls: z.array(z.string()),
  /** Headers that the media servers require (cookie, referer, user-agent), by lower-case name. */
  headers: z.record(z.string(), z.string()),
  /** When the addresses stop working, in ms since the epoch. */
  expiresAt: z.number(),
  /** The egress for which the addresses were issued; undefined when there is only one. */
  egress: z.string().optional(),
});
/** A file on the platform's media servers. */
export type MediaSource = Unchanged<z.infer<typeof mediaSource>>;

export const listSchema = z.object({
  platform: platformName,
  kind: z.enum(['sound', 'creator', 'hashtag']),
  /** The sound's id, the creator's handle, the hashtag without its sign. */
  name: z.string(),
  /** Canonical public address. */
  url: z.string(),
  /** The sound's title, the creator's name, the hashtag. */
  title: z.string(),
  /** A sound's artist; empty for other lists. */
  artist: z.string(),
  /** The sound's cover, the creator's picture. */
  picture: mediaSource.nullable(),
  /** Each with its author's handle, which may be empty. */
  posts: z.array(z.object({ id: postId, handle: z.string() })),
});
/** The few posts of a list that the platform shows without a log-in, the newest first. */
export type PostList = Unchanged<z.infer<typeof listSchema>>;
/** A public list of posts: those with a sound, of a creator, or with a hashtag. */
export type ListReference = Pick<PostList, 'platform' | 'kind' | 'name'>;

const video = z.object({
  codec: z.enum(['h264', 'h265']),
  /** Pixels, orientation-true. */
  width: z.number(),
  height: z.number(),
  /** File size. */
  bytes: amount,
  /** Bits per second. */
  bitrate: amount,
  /** Picture and sound, or only the picture; read from the file's boxes when the platform does not state it. */
  tracks: z.enum(['whole', 'picture', 'unknown']),
  /** The platform's own measure of its likeness to the upload, from 0 to 100. */
  quality: amount,
  /** The separate sound that belongs to it; null when the platform names none. */
  soundId: z.string().nullable(),
  /** Frames a second. */
  framesPerSecond: amount.optional(),
  /** True where the platform may have put its watermark on it. */
  mayBeMarked: z.boolean().optional(),
  source: mediaSource,
});
/** One encoding of a post's video, without the watermark as far as is known. */
export type VideoVariant = Unchanged<z.infer<typeof video>>;

const separateSound = z.object({
  id: z.string(),
  /** File size. */
  bytes: amount,
  /** Bits per second. */
  bitrate: amount,
  source: mediaSource,
});
/** A video's sound in a separate file. */
export type SeparateSound = Unchanged<z.infer<typeof separateSound>>;

const picture = z.object({
  /** Pixels of the picture. */
  width: z.number(),
  height: z.number(),
  source: mediaSource.nullable(),
  /** The slide's video ("live photo"), an mp4. */
  motion: mediaSource.nullable(),
});
/** One slide of a slideshow: a picture, a moving picture, or both; neither when the platform gave no usable address. */
export type Picture = Unchanged<z.infer<typeof picture>>;

const sound = z.object({
  /** According to its addresses; null when they state none. Used for offers only: the conversion inspects the bytes. */
  container: z.enum(['mp3', 'mp4']).nullable(),
  /** Seconds. */
  durationS: amount,
  source: mediaSource,
});
/** The sound of a slideshow. */
export type SoundTrack = Unchanged<z.infer<typeof sound>>;

const captions = z.object({
  /** A language tag (BCP 47), `en-US`: another one for each track of a post. */
  language: z.string(),
  /** Its origin: the author, speech recognition or translation; null when the platform does not state it. */
  origin: z.enum(['author', 'speech', 'translation']).nullable(),
  source: mediaSource,
});
/** The spoken text of a video with its times, in one language. */
export type CaptionTrack = Unchanged<z.infer<typeof captions>>;

const song = z.object({
  title: z.string(),
  artist: z.string(),
  /** True for an original sound, named after its author: the post's text then says more than the sound's name. */
  isOriginal: z.boolean(),
  /** The sound's own cover; null when the platform names none. */
  cover: mediaSource.nullable(),
});
/** The description of a post's sound, in the video or separate. */
export type Song = Unchanged<z.infer<typeof song>>;

const stats = z.object({ plays: amount, likes: amount });
/** How often a post was played and liked. Platforms round large numbers of plays. */
export type PostStats = Unchanged<z.infer<typeof stats>>;

export const postSchema = z.object({
  ...referenceSchema.shape,
  /** Canonical public address. */
  url: z.string(),
  /** Photos without a slide are a slideshow of which the platform gives only the sound. */
  kind: z.enum(['video', 'photos']),
  author: z.object({ handle: z.string(), name: z.string() }),
  /** The author's text; may be empty, may hold line breaks and emoji. */
  title: z.string(),
  /** Seconds; 0 for a silent slideshow. */
  durationS: z.number(),
  cover: mediaSource.nullable(),
  /** Seconds since the epoch. */
  createdAt: amount,
  /** How often it was played and liked when it was read; absent where the platform does not say. */
  stats: stats.optional(),
  /** The best H.264 that may be whole and of up to 720p first, then all others, best first. Empty for photos. */
  videos: z.array(video),
  /** The sound of a video as separate files, best first; empty when the platform lists none. */
  separateSounds: z.array(separateSound),
  /** All slides in the author's order, so that an index means the same slide whichever others are available. */
  pictures: z.array(picture),
  sound: sound.nullable(),
  /** The whole sound of a video as a file of its own, where the platform has one: the video may hold a part of it. */
  songFile: sound.optional(),
  /** Null when the platform does not name the sound's author. */
  song: song.nullable(),
  /** The author's own first, then recognised ones, then translations; absent when there are none. */
  captions: z.array(captions).optional(),
  /** True when the platform measured the loudness of a video, which then has sound. False proves nothing. */
  soundMeasured: z.boolean(),
  /** False when the author switched saving off; null where the platform does not say. */
  savingAllowed: z.boolean().nullable(),
  /** True for a video of which the platform showed only a part: it may have better encodings, and captions. */
  isThin: z.literal(true).optional(),
  /** Name of the strategy that read it. */
  readBy: z.string(),
});
/** A post as read from the platform. Its `egress` is that of its reading. */
export type Post = Unchanged<z.infer<typeof postSchema>>;

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
