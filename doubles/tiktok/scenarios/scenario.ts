import type { DamageName } from '../clips/damage.ts';
import type { ClipSpec } from '../clips/tracks.ts';
import type { TransferFault } from '../transport/answer.ts';

/** One post of the double: its content, and how each server behaves for it. */
export interface PostScenario {
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  readonly group: ScenarioGroup;
  /** 19 digits; `id >> 32` is the Unix second of its creation. */
  readonly id: string;
  readonly post: PostContent;
  readonly page: PageBehaviour;
  /** The page's behaviour applies only to this many first reads. */
  readonly pageReads: number;
  readonly player: PlayerBehaviour;
  readonly embed: EmbedBehaviour;
  readonly oembed: 'found' | 'gone';
  readonly media: readonly MediaRule[];
}

export type ScenarioGroup = 'posts' | 'refusals' | 'page faults' | 'media faults' | 'damaged files';

export interface PostContent {
  readonly handle: string;
  readonly nickname: string;
  readonly text: string;
  readonly authorMissing: boolean;
  /** 0 allows saving, 3 forbids it (and then there is no `downloadAddr`). */
  readonly downloadSetting: 0 | 3;
  readonly ageGate: 'none' | 'without-media' | 'with-media';
  readonly media: VideoContent | PhotosContent;
  readonly music: MusicContent;
}

export interface VideoContent {
  readonly kind: 'video';
  readonly seconds: number;
  /**
   * The first is the default H.264, which `playAddr` names. This order is separate from that on the page, which goes by
   * bitrate.
   */
  readonly gears: readonly GearContent[];
  /** Sound-only files, which encodings without one name by their ids. */
  readonly sounds?: readonly SeparateSoundContent[];
  /** Whether the page says that a sound was measured, if that is not true. */
  readonly measured?: boolean;
  /** Its captions; the pages name each file twice, under the names of two of the platform's services. */
  readonly captions?: readonly CaptionsContent[];
  /** The page's encodings and sounds have the names of the app's responses. */
  readonly snakeCase?: boolean;
  /** First and second address of each file. */
  readonly hosts: readonly [string, string];
  /** The default's size as the page states it, if that is not true. */
  readonly statedBytes?: number;
  /** The page states no width and no height anywhere. */
  readonly sizeless?: boolean;
  /** Old pages give `playAddr` as a list of `{ src }`. */
  readonly playAddrAsList?: boolean;
  /**
   * A slideshow that the page describes as a video: its `playAddr` is the song, at the music servers' own address
   * (`named`) or at one like any video's (`unnamed`).
   */
  readonly song?: 'named' | 'unnamed';
  /** The page has an `imagePost` whose list of pictures is null. */
  readonly emptyImagePost?: boolean;
}

interface CaptionsContent {
  /** In the platform's notation. */
  readonly language: string;
  /** Recognised speech, translated, or the author's own. */
  readonly source: 'ASR' | 'MT' | 'LC';
  readonly format: 'webvtt' | 'creator_caption';
  /** The whole file. */
  readonly text: string;
}

export interface GearContent {
  readonly name: GearName;
  readonly file: FileContent;
  /** Ends the file's path in `/media-video-hvc1/`. */
  readonly silentTrap?: boolean;
  /** The tracks that the page states: both (the default), picture only, or nothing. */
  readonly format?: 'mp4' | 'dash' | 'unsaid';
  /** The platform's own measure of its likeness to the upload, from 0 to 100. */
  readonly score?: number;
  /** The form of the score: a JSON text (the default), an object, or a bare number. */
  readonly scoreAs?: 'text' | 'object' | 'number';
  /** Which of the sounds belongs to it. */
  readonly soundId?: string;
}

/** A sound in a separate file. */
export interface SeparateSoundContent {
  /** Letters and digits, lower case. */
  readonly id: string;
  readonly file: FileContent;
  /** As the page states it: in kbit/s on some pages, in bit/s on others. */
  readonly bitrate: number;
  /** Named by its hash, if it has no id. */
  readonly namedBy?: 'FileId' | 'FileHash';
  readonly quality: 'adapt_lowest' | 'adapt_lower' | 'adapt' | 'normal';
}

export interface FileContent {
  readonly clip: ClipSpec;
  readonly damage?: DamageName;
}

export interface PhotosContent {
  readonly kind: 'photos';
  readonly title: string;
  readonly pictures: readonly SlideContent[];
}

export interface SlideContent {
  /** A file of `clips/media`, or `heic`. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /**
   * `heic`: the picture's addresses have this ending, whatever its bytes. `none`: the pages state no address for it.
   */
  readonly address?: 'heic' | 'none';
  /** The slide's own video. */
  readonly motion?: FileContent;
}

export interface MusicContent {
  readonly title: string;
  readonly artist: string;
  readonly seconds: number;
  /** `missing` leaves the field out, `empty` leaves the address empty, `none` leaves out the whole object. */
  readonly file: 'mp3' | 'm4a' | 'missing' | 'empty' | 'none';
}

/** The platform's encodings: platform names, codecs and quality numbers. */
export const GEARS = {
  normal_720_0: { codec: 'h264', quality: 10, shortSide: 720 },
  normal_540_0: { codec: 'h264', quality: 20, shortSide: 576 },
  normal_480_0: { codec: 'h264', quality: 30, shortSide: 480 },
  lower_540_0: { codec: 'h264', quality: 24, shortSide: 576 },
  original_1080_0: { codec: 'h264', quality: 10_000, shortSide: 1080 },
  adapt_720_1: { codec: 'h264', quality: 11, shortSide: 720 },
  adapt_1080_1: { codec: 'h265_hvc1', quality: 1, shortSide: 1080 },
  adapt_lowest_1080_1: { codec: 'h265_hvc1', quality: 2, shortSide: 1080 },
  adapt_lower_720_1: { codec: 'h265_hvc1', quality: 14, shortSide: 720 },
  bytevc2_1080_0: { codec: 'bytevc2', quality: 3, shortSide: 1080 },
} as const;

export type GearName = keyof typeof GEARS;

export type PageBehaviour =
  | { readonly kind: 'post' }
  /** HTTP 200, the scope, a status code and no item. */
  | { readonly kind: 'status'; readonly code: number; readonly message: string }
  /** The same on the page for phones; a desktop browser gets the challenge. */
  | { readonly kind: 'status-on-phones'; readonly code: number; readonly message: string }
  /** The site without posts. */
  | { readonly kind: 'static-site' }
  | { readonly kind: 'wrong-id' }
  | { readonly kind: 'truncated'; readonly fraction: number }
  | { readonly kind: 'shell' }
  | { readonly kind: 'scope-renamed' }
  | { readonly kind: 'fields-renamed' }
  /** The post's data with one part in another form. */
  | { readonly kind: 'strange'; readonly how: StrangeItem }
  | { readonly kind: 'decoy' }
  | { readonly kind: 'challenge'; readonly withOriginalId: boolean }
  /** The challenge only for user agents that say `Mozilla/5.0`. */
  | { readonly kind: 'challenge-mozilla' }
  | { readonly kind: 'maintenance' }
  | { readonly kind: 'captcha-page' }
  | { readonly kind: 'captcha-json' }
  | { readonly kind: 'login' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'http'; readonly status: number; readonly body: string; readonly retryAfterS?: number }
  | { readonly kind: 'oversized'; readonly bytes: number }
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  | { readonly kind: 'redirect'; readonly to: 'itself' | 'foreign' | 'private' }
  /** The true page, badly sent. Offsets count bytes on the wire. */
  | { readonly kind: 'transfer'; readonly fault: TransferFault };

/**
 * The oddity of a post's data: no addresses, only the watermarked file's, a list in place of the item, a text in place
 * of the video, a numeric id.
 */
export type StrangeItem = 'no-address' | 'only-marked' | 'item-list' | 'video-text' | 'number-id';

/** `whole`: it shows captions, and every encoding with sound. */
type PlayerBehaviour = 'found' | 'whole' | 'nil' | 'busy' | 'error' | 'empty' | 'fields-renamed';
/** `marked`: its file is another than the page's, with the platform's mark. */
type EmbedBehaviour = 'found' | 'marked' | 'gone' | 'error' | 'fields-renamed';

/** A fault of a media request. The first matching rule applies. */
export interface MediaRule {
  readonly on: 'video' | 'sound' | 'image' | 'captions';
  /** Only for this file of the post, by the name in its address: `picture-2`. */
  readonly file?: string;
  /** Only on hosts whose name begins with this. */
  readonly host?: string;
  /** Only this many first matching requests; by default all. */
  readonly times?: number;
  /** Skips this many first matching requests. */
  readonly after?: number;
  /**
   * Only requests for a part (`bytes=a-b`), with any range, for the whole file, or for what follows its first thousand
   * bytes; by default all requests.
   */
  readonly ranges?: 'part' | 'any' | 'whole' | 'rest';
  readonly fault: MediaFault;
}

export type MediaFault =
  /** 403 with a body of that many bytes; the one of 522 is labelled `video/mp4`. */
  | { readonly kind: 'forbidden'; readonly bodyBytes: 423 | 506 | 522 }
  /** 403 for the addresses of the first page read; those of a later read work. */
  | { readonly kind: 'stale-first-read' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'html' }
  | { readonly kind: 'playlist' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'no-ranges' }
  /** No byte at or after this offset of the file is ever sent. */
  | { readonly kind: 'never-past'; readonly offset: number }
  /** Another file at the same address, longer by so many bytes. */
  | { readonly kind: 'other-file'; readonly longerBy: number }
  | { readonly kind: 'redirect'; readonly to: 'mirror' | 'itself' | 'foreign' | 'private' }
  | { readonly kind: 'length-off'; readonly by: number }
  | { readonly kind: 'transfer'; readonly fault: TransferFault };
