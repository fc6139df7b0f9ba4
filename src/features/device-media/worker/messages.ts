import type { Cue } from '../../../downloader/captions/cues.ts';
import type { Encoding, Reason } from '../video/video-plan.ts';

/** An order for an mp3: addresses on this site, and when the device has to give up. */
export interface Mp3Order {
  readonly frames: string;
  /** LAME's WebAssembly. */
  readonly lame: string;
  /** Seconds of sound that are encoded in a second at least. */
  readonly leastSpeed: number;
}

/** An order for one video of a slideshow. */
export interface SlideshowOrder {
  /** Address of the parts on this site. */
  readonly parts: string;
}

/** Another video of a video. */
export interface VideoOrder {
  /** Address of the video on this site. */
  readonly source: string;
  /** Name of the file. */
  readonly name: string;
  /** As players show them. */
  readonly tags: { readonly title: string; readonly artist: string; readonly comment: string };
  /** Length of the file, as far as the page knows. */
  readonly durationS: number;
  /** The server cuts the video, which begins at the key frame before the part. */
  readonly isPart: boolean;
  /** How the picture is encoded; null where it is copied. */
  readonly encoding: Encoding | null;
  /** The file's bound; null for none. */
  readonly maxBytes: number | null;
  readonly captions: {
    readonly cues: readonly Cue[];
    /** A language tag. */
    readonly language: string;
    /** They become a part of the picture. Else they are a track, which players show on demand. */
    readonly isBurned: boolean;
  } | null;
  /** Name of a folder for it. */
  readonly folder: string;
}

/** The error of a worker's `make` where the visitor can be told why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: Reason;

  /** @param note for developers */
  constructor(reason: Reason, note: string, options?: ErrorOptions) {
    super(note, options);
    this.reason = reason;
  }
}

/** A file that was made, and what it lacks of its post. */
export interface Made {
  readonly file: File;
  readonly lacks?: { readonly no_sound?: 'lost'; readonly missing_photos?: number };
}

/** A worker's messages after its order: any number about its progress, then the file, or why there is none. */
export type FromWorker =
  /** @param fraction of the work that is done, from 0 to 1 */
  | { readonly type: 'progress'; readonly fraction: number }
  /** It is fast enough, so that the server need not keep a place for the file. */
  | { readonly type: 'proven' }
  | ({ readonly type: 'done' } & Made)
  /** @param note for developers */
  | { readonly type: 'failed'; readonly reason: Reason | null; readonly note: string };
