/** What the extractors make of a platform's page, and what everything after them works with. */

/**
 * The name of a platform, `[a-z][a-z0-9]{0,15}`: part of keys, so that it is never another's. Which there are, says the
 * list of `extractors/platforms.ts`.
 */
export type PlatformName = string;

/** A post named without doubt: enough to build every request to the platform. */
export interface PostReference {
  readonly platform: PlatformName;
  /** `[A-Za-z0-9_-]{1,64}`; capitals count, and what looks like a number may be larger than 2^53. */
  readonly id: string;
  /** The way out that it was last read by, and is best read by again; undefined where there is but one. */
  readonly way?: string | undefined;
}

/** A short link's code, which the platform must be asked about. Codes are case-sensitive. */
export interface ShortLink {
  readonly platform: PlatformName;
  readonly code: string;
}

/** A file on the platform's media servers. */
export interface MediaSource {
  /** Addresses of the same bytes, best first. Sent verbatim: rebuilding a query breaks its signature. */
  readonly urls: readonly string[];
  /** What the media servers want to see (cookie, referer, user-agent), by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the addresses stop working, in ms since the epoch. */
  readonly expiresAt: number;
  /** The way out that the addresses were given to, and work by; undefined where there is but one. */
  readonly way?: string | undefined;
}

/** One encoding of a post's video, always without the watermark. */
export interface VideoVariant {
  readonly codec: 'h264' | 'h265';
  /** Pixels, orientation-true. */
  readonly width: number;
  readonly height: number;
  /** File size; null where the platform does not say. */
  readonly bytes: number | null;
  /** Bits per second; null where the platform does not say. */
  readonly bitrate: number | null;
  /** Picture and sound, or the picture alone; the file's own boxes say it where the platform does not. */
  readonly tracks: 'whole' | 'picture' | 'unknown';
  /** The platform's own measure of its likeness to the upload, from 0 to 100; null where it does not say. */
  readonly quality: number | null;
  /** Which of the post's separate sounds belongs to it; null where the platform does not say. */
  readonly soundId: string | null;
  /** Frames a second; null or left out where the platform does not say. */
  readonly framesPerSecond?: number | null | undefined;
  readonly source: MediaSource;
}

/** A video's sound in a file of its own. */
export interface SeparateSound {
  readonly id: string;
  /** File size; null where the platform does not say. */
  readonly bytes: number | null;
  /** Bits per second; null where the platform does not say. */
  readonly bitrate: number | null;
  readonly source: MediaSource;
}

/** One slide of a slideshow: a picture, a moving picture, or both; neither where the platform gave no usable address. */
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
  /** What its addresses say; null when they say nothing. Only for what is offered: the conversion looks at the bytes. */
  readonly container: 'mp3' | 'mp4' | null;
  /** Seconds; null where the platform does not say. */
  readonly durationS: number | null;
  readonly source: MediaSource;
}

/** What is said in a video, as text with its times, in one language. */
export interface CaptionTrack {
  /** A language tag (BCP 47), `en-US`: another one for each track of a post. */
  readonly language: string;
  /** Who wrote it: the author, or a machine that listened or translated; null where the platform does not say. */
  readonly origin: 'author' | 'speech' | 'translation' | null;
  readonly source: MediaSource;
}

/** What a post's sound is called, in the video or apart from it. */
export interface Song {
  readonly title: string;
  readonly artist: string;
  /** Made for a post and named after its author, so that its name says less than the post's text. */
  readonly isOriginal: boolean;
  /** The sound's own cover; null where the platform names none. */
  readonly cover: MediaSource | null;
}

/** A post as read from the platform. */
export interface Post {
  readonly platform: PlatformName;
  readonly id: string;
  /** Canonical public address. */
  readonly url: string;
  /** Photos without a slide are a post of which the platform gives the sound alone. */
  readonly kind: 'video' | 'photos';
  readonly author: { readonly handle: string; readonly name: string };
  /** The author's text; may be empty, may hold line breaks and emoji. */
  readonly title: string;
  /** Seconds; 0 for a silent slideshow. */
  readonly durationS: number;
  readonly cover: MediaSource | null;
  /** Seconds since the epoch; null where the platform does not say. */
  readonly createdAt: number | null;
  /** The best H.264 that may be whole and of up to 720p first, then all others, best first. Empty for photos. */
  readonly videos: readonly VideoVariant[];
  /** The sound of a video as files of its own, best first; empty where the platform lists none. */
  readonly separateSounds: readonly SeparateSound[];
  /** Every slide in the author's order, so that an index names the same slide whatever can be had of the others. */
  readonly pictures: readonly Picture[];
  readonly sound: SoundTrack | null;
  /** Null where the platform does not say whose sound it is. */
  readonly song: Song | null;
  /** The author's own first, then what was heard, then translations; left out where there are none. */
  readonly captions?: readonly CaptionTrack[] | undefined;
  /** True when the platform measured the loudness of a video: it has sound. False when it said nothing of it. */
  readonly soundMeasured: boolean;
  /** False when the author switched saving off. */
  readonly savingAllowed: boolean;
  /** Name of the strategy that read it. */
  readonly readBy: string;
  /** The way out that it was read by; undefined where there is but one. */
  readonly way?: string | undefined;
}
