/** The public JSON shapes of `POST /api/resolve`, shared by the pages, the endpoint and the API's description. */

export type OptionFormat = 'mp4' | 'mp3' | 'm4a' | 'jpg' | 'zip';

export interface DownloadOption {
  /** Stable within a post: `mp4`, `mp4-hd`, `mp3`, `m4a`, `jpg-1` …, `mp4-1` … of moving photos, `zip`, `mp4-slideshow`. */
  id: string;
  format: OptionFormat;
  /** Readable, in the request's language: "MP4 720p", "MP3 128 kbps". */
  label: string;
  /** `h264`, `h265`, `mp3`, `aac`, `jpeg`; null for a zip and a moving photo. */
  codec: string | null;
  /** Pixels; null for sound, zip and `mp4-slideshow`, and where the platform does not say. */
  width: number | null;
  height: number | null;
  /** File size; null when it is not known in advance. */
  bytes: number | null;
  /**
   * Path of the file on this site; the whole address if another backend has it. With `?from=12.5&to=27` (seconds) a
   * part of an mp4, mp3 or m4a, with `?from=12.5&ringtone=1` half a minute of a sound; the same parameters apply to
   * `status_href`.
   */
  href: string;
  /** Converted files only: JSON, or events with `Accept: text/event-stream`; DELETE cancels. */
  status_href?: string | undefined;
  /** True for a video that cannot be cut. */
  whole_only?: true | undefined;
  /** True for a video that may carry TikTok's watermark, because TikTok shows no other file at the moment. */
  may_have_watermark?: true | undefined;
  /** Photos and moving photos only: a small picture on this site. */
  preview_url?: string | undefined;
}

/** An encoding of a post's video. */
export interface VideoVersion {
  codec: 'h264' | 'h265';
  /** Pixels. */
  width: number;
  height: number;
  /** Frames a second; null when unknown. */
  fps: number | null;
  /** File size; null when it is not known in advance. */
  bytes: number | null;
  /** Path on this site that gives the file. */
  href: string;
  /** As in an option. */
  may_have_watermark?: true | undefined;
}

/** The spoken text of a video with its times. */
export interface Captions {
  /** A language tag, such as `en-US`. */
  language: string;
  /** Its origin: the author, speech recognition or translation; null when unknown. */
  origin: 'author' | 'speech' | 'translation' | null;
  /** Path on this site that gives them as SubRip; with `?as=vtt` as WebVTT, with `?as=txt` as text. */
  href: string;
}

interface ResolvedPost {
  /** Name of the platform, such as `tiktok`. */
  platform: string;
  id: string;
  url: string;
  kind: 'video' | 'photos';
  author: { handle: string; name: string };
  title: string;
  duration_s: number;
  /** Path on this site; null when the post has no cover. */
  cover_url: string | null;
  /** Path of the cover file on this site, at its full size; absent when the post has none. */
  cover_href?: string | undefined;
  /** Videos only: all available encodings, best first. */
  versions?: VideoVersion[] | undefined;
  /** Captions by language; absent when the post has none. */
  captions?: Captions[] | undefined;
  /** The song of the post's sound; null for an original sound, and when unknown. */
  sound?: { title: string; artist: string } | null | undefined;
  /** ISO 8601; null when unknown. */
  created_at: string | null;
  /** How often it was played and liked, each null when unknown; absent when both are. */
  stats?: { plays: number | null; likes: number | null } | undefined;
  /** True for a video of which TikTok shows only a part right now: HD and captions may come with `again`. */
  thin?: true | undefined;
  /** Photos only: how many slides the post has, also those of which no file is offered. */
  slides?: number | undefined;
}

export interface ResolveResult {
  post: ResolvedPost;
  options: DownloadOption[];
  /** Address of another post, when the text held a link to a second one. */
  other_link?: string | undefined;
  /** Why no sound is offered: the post has none, or it cannot be converted. */
  no_sound?: 'missing' | 'unsupported' | undefined;
}

export interface ResolveResponse {
  code: 200;
  result: ResolveResult;
}

/** The posts of a sound, a creator or a hashtag that the platform shows without a log-in. */
export interface ListResult {
  kind: 'sound' | 'creator' | 'hashtag';
  /** Its public address. */
  url: string;
  /** The sound's title, the creator's name, the hashtag. */
  title: string;
  /** A sound's artist; empty for other lists. */
  artist: string;
  /** The sound's cover or the creator's picture, as a file; null where there is none. */
  picture_href: string | null;
  /** Addresses of the posts, the newest first. */
  posts: string[];
  /** The sound itself, from one of the posts; null for other lists, and where no post has it as a file. */
  sound: ResolveResult | null;
}

export interface ListResponse {
  code: 200;
  result: ListResult;
}

export interface ErrorResponse {
  /** The HTTP status. */
  code: number;
  error: {
    key: string;
    message: string;
    /** A second, helpful sentence for some invalid links. */
    hint?: string | undefined;
    /** Seconds after which another try makes sense, as in `Retry-After`. */
    retry_after_s?: number | undefined;
    /** Address of the post that the text names, or of the sound, creator or hashtag; absent when it names none. */
    link?: string | undefined;
    /** Address of another post, when the text held a link to a second one. */
    other_link?: string | undefined;
  };
}

/** The progress of a file that a browser fetches. */
export interface ArrivalResponse {
  code: 200;
  result: {
    /**
     * `unknown` when this instance had no request under that name; `sent` when every byte of the file was in a successful
     * response; `broken` when none is under way, and something is missing.
     */
    state: 'unknown' | 'sending' | 'sent' | 'broken';
    /** Bytes of the file that were sent, each counted once. */
    bytes: number;
    /** Slides that the zip lacks, wholly or in part, as far as it was sent. */
    missing_photos?: number | undefined;
  };
}

/** The response of `GET {href}/ready` when the file can be fetched. */
export interface ReadyResponse {
  code: 200;
  result: {
    /** The file's name, as its `Content-Disposition` will say. */
    name: string;
  };
}

/** The response of `status_href`, as JSON and as the data of each `status` event. */
export interface ConversionResponse {
  code: 200;
  result: {
    state: 'idle' | 'waiting' | 'reading' | 'converting' | 'done' | 'failed' | 'cancelled';
    /** While waiting: how many conversions are ahead. */
    ahead: number | null;
    /** 0 to 1. */
    progress: number;
    bytes: number | null;
    error: { key: string; message: string } | null;
    /** Set when a slideshow's video is made without its sound, which is unavailable. */
    no_sound?: 'lost' | undefined;
    /** Photos of the post that a slideshow's video is made without: they could not be fetched or read. */
    missing_photos?: number | undefined;
  };
}
