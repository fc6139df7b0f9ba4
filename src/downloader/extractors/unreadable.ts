import { Failure } from '../../failures/failures.ts';

/**
 * Which part of an answer was missing or malformed. The list is closed: these are values of a metric.
 * - `page` the place of the data in a page, `json` the data as such, `answer` the wrapper of the post, `item` the post
 * - `id` the post's id, also when it is a number: it has lost digits
 * - `status` an unknown status code
 * - `media_host` addresses only at hosts that are not known to be the platform's
 * - `media` neither video nor pictures, `video_address` and `picture_address` no usable addresses, `watermark_only`
 *   only the address of the file with the watermark
 * - `other` any other error of a reader
 */
export type ResponseShape =
  | 'page'
  | 'json'
  | 'answer'
  | 'item'
  | 'id'
  | 'status'
  | 'media'
  | 'media_host'
  | 'video_address'
  | 'picture_address'
  | 'watermark_only'
  | 'other';

/**
 * An answer about a post that a strategy cannot read. Other results decide whether the post is odd or the platform has
 * changed.
 */
export class UnreadableResponse extends Failure {
  readonly shape: ResponseShape;

  constructor(shape: ResponseShape, details: { readonly note?: string; readonly cause?: unknown } = {}) {
    super(shape === 'media_host' ? 'media_host_unknown' : 'post_unreadable', details);
    this.shape = shape;
  }
}

/** Called for answers that could not be read, so that an operator notices a change of the platform early. */
export interface UnreadableObserver {
  /** Each answer, also where another strategy then read the post. */
  answer(event: { readonly strategy: string; readonly shape: ResponseShape }): void;
  /** A post that no strategy could read, and what the first of them found. */
  post(event: {
    readonly platform: string;
    readonly id: string;
    readonly strategy: string;
    readonly shape: ResponseShape;
    readonly note: string;
  }): void;
  /** A post of which the page's and the embed page's files are known: whether the latter is one of the former. */
  embedCompared(event: { readonly platform: string; readonly id: string; readonly isSame: boolean }): void;
}

/** This many different unreadable posts in a row suggest a change of the platform. */
const severalPosts = 5;
/** Unreadable posts are rare, but over days a few accumulate whatever the platform does. */
const windowMs = 600_000;

/** Posts that one strategy could not read since it last read one. */
export class UnreadablePosts {
  /** When each was last met, in ms since any moment. */
  readonly #metAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a post. @returns whether several different ones came in a row */
  add(id: string): boolean {
    const now = this.#now();
    for (const [known, at] of this.#metAt) if (now - at > windowMs) this.#metAt.delete(known);
    if (this.#metAt.has(id) || this.#metAt.size < severalPosts) this.#metAt.set(id, now);
    return this.#metAt.size >= severalPosts;
  }

  clear(): void {
    this.#metAt.clear();
  }
}
