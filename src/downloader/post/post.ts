/** The result of the extractors, and the input of everything after them. */

/**
 * A platform's name, `[a-z][a-z0-9]{0,15}`: unique, since it is part of keys. `extractors/platforms.ts` lists all
 * platforms.
 */
export type PlatformName = string;

/** A post named without doubt: enough to build every request to the platform. */
export interface PostReference {
  readonly platform: PlatformName;
  /** `[A-Za-z0-9_-]{1,64}`; capitals count, and what looks like a number may be larger than 2^53. */
  readonly id: string;
  /** The egress of its last reading, preferred for the next; undefined when there is only one. */
  readonly egress?: string | undefined;
}

/** A short link's code, which only the platform can resolve. Codes are case-sensitive. */
export interface ShortLink {
  readonly platform: PlatformName;
  readonly code: string;
}

/** A public list of posts: those with a sound, of a creator, or with a hashtag. */
export interface ListReference {
  readonly platform: PlatformName;
  readonly kind: 'sound' | 'creator' | 'hashtag';
  /** The sound's id, the creator's handle, the hashtag without its sign. */
  readonly name: string;
}

/** The few posts of a list that the platform shows without a log-in, the newest first. */
export interface PostList extends ListReference {
  /** Canonical public address. */
  readonly url: string;
  /** The sound's title, the creator's name, the hashtag. */
  readonly title: string;
  /** A sound's artist; empty for other lists. */
  readonly artist: string;
  /** The sound's cover, the creator's picture. */
  readonly picture: MediaSource | null;
  readonly posts: readonly ListedPost[];
}

export interface ListedPost {
  readonly id: string;
  /** The author's handle; may be empty. */
  readonly handle: string;
}

/** A file on the platform's media servers. */
export interface MediaSource {
  /** Addresses of the same bytes, best first. Sent verbatim: rebuilding a query breaks its signature. */
  readonly urls: readonly string[];
  /** Headers that the media servers require (cookie, referer, user-agent), by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the addresses stop working, in ms since the epoch. */
  readonly expiresAt: number;
  /** The egress for which the addresses were issued; undefined when there is only one. */
  readonly egress?: string | undefined;
}

/** One encoding of a post's video, without the watermark as far as is known. */
export interface VideoVariant {
  readonly codec: 'h264' | 'h265';
  /** Pixels, orientation-true. */
  readonly width: number;
  readonly height: number;
  /** File size; null where the platform does not say. */
  readonly bytes: number | null;
  /** Bits per second; null where the platform does not say. */
  readonly bitrate: number | null;
  /** Picture and sound, or only the picture; read from the file's boxes when the platform does not state it. */
  readonly tracks: 'whole' | 'picture' | 'unknown';
  /** The platform's own measure of its likeness to the upload, from 0 to 100; null where it does not say. */
  readonly quality: number | null;
  /** The separate sound that belongs to it; null when the platform names none. */
  readonly soundId: string | null;
  /** Frames a second; null or left out where the platform does not say. */
  readonly framesPerSecond?: number | null | undefined;
  /** True where the platform may have put its watermark on it. */
  readonly mayBeMarked?: boolean | undefined;
  readonly source: MediaSource;
}

/** A video's sound in a separate file. */
export interface SeparateSound {
  readonly id: string;
  /** File size; null where the platform does not say. */
  readonly bytes: number | null;
  /** Bits per second; null where the platform does not say. */
  readonly bitrate: number | null;
  readonly source: MediaSource;
}

/** One slide of a slideshow: a picture, a moving picture, or both; neither when the platform gave no usable address. */
export interface Picture {
  /** Pixels of the picture. */
  readonly width: number;
  readonly height: number;
  readonly source: MediaSource | null;
  /** The slide's video ("live photo"), an mp4. */
  readonly motion: MediaSource | null;
}

/** The sound of a slideshow. */
export interface SoundTrack {
  /** According to its addresses; null when they state none. Used for offers only: the conversion inspects the bytes. */
  readonly container: 'mp3' | 'mp4' | null;
  /** Seconds; null where the platform does not say. */
  readonly durationS: number | null;
  readonly source: MediaSource;
}

/** The spoken text of a video with its times, in one language. */
export interface CaptionTrack {
  /** A language tag (BCP 47), `en-US`: another one for each track of a post. */
  readonly language: string;
  /** Its origin: the author, speech recognition or translation; null when the platform does not state it. */
  readonly origin: 'author' | 'speech' | 'translation' | null;
  readonly source: MediaSource;
}

/** The description of a post's sound, in the video or separate. */
export interface Song {
  readonly title: string;
  readonly artist: string;
  /** True for an original sound, named after its author: the post's text then says more than the sound's name. */
  readonly isOriginal: boolean;
  /** The sound's own cover; null when the platform names none. */
  readonly cover: MediaSource | null;
}

/** How often a post was played and liked. Platforms round large numbers of plays. */
export interface PostStats {
  readonly plays: number | null;
  readonly likes: number | null;
}

/** A post as read from the platform. */
export interface Post {
  readonly platform: PlatformName;
  readonly id: string;
  /** Canonical public address. */
  readonly url: string;
  /** Photos without a slide are a slideshow of which the platform gives only the sound. */
  readonly kind: 'video' | 'photos';
  readonly author: { readonly handle: string; readonly name: string };
  /** The author's text; may be empty, may hold line breaks and emoji. */
  readonly title: string;
  /** Seconds; 0 for a silent slideshow. */
  readonly durationS: number;
  readonly cover: MediaSource | null;
  /** Seconds since the epoch; null where the platform does not say. */
  readonly createdAt: number | null;
  /** How often it was played and liked when it was read; each null, and all absent, where the platform does not say. */
  readonly stats?: PostStats | undefined;
  /** The best H.264 that may be whole and of up to 720p first, then all others, best first. Empty for photos. */
  readonly videos: readonly VideoVariant[];
  /** The sound of a video as separate files, best first; empty when the platform lists none. */
  readonly separateSounds: readonly SeparateSound[];
  /** All slides in the author's order, so that an index means the same slide whichever others are available. */
  readonly pictures: readonly Picture[];
  readonly sound: SoundTrack | null;
  /** The whole sound of a video as a file of its own, where the platform has one: the video may hold a part of it. */
  readonly songFile?: SoundTrack | undefined;
  /** Null when the platform does not name the sound's author. */
  readonly song: Song | null;
  /** The author's own first, then recognised ones, then translations; absent when there are none. */
  readonly captions?: readonly CaptionTrack[] | undefined;
  /** True when the platform measured the loudness of a video, which then has sound. False proves nothing. */
  readonly soundMeasured: boolean;
  /** False when the author switched saving off; null where the platform does not say. */
  readonly savingAllowed: boolean | null;
  /** True for a video of which the platform showed only a part: it may have better encodings, and captions. */
  readonly isThin?: true | undefined;
  /** Name of the strategy that read it. */
  readonly readBy: string;
  /** The egress of its reading; undefined when there is only one. */
  readonly egress?: string | undefined;
}
