import { Failure } from '../../failures/failures.ts';

/**
 * What of an answer was missing or had another form than expected. The list is closed: these are values of a metric.
 *
 * - `page` the place of the data in a page, `json` the data as such, `answer` what wraps the post, `item` the post
 * - `id` the post's id, also one that is a number: it has lost digits
 * - `status` a status code without a meaning here
 * - `media` neither video nor pictures, `video_address` and `picture_address` addresses that can be used,
 *   `watermark_only` a video that has no address but that of the file with the watermark
 * - `other` anything that a reader tripped over
 */
export type AnswerShape =
  | 'page'
  | 'json'
  | 'answer'
  | 'item'
  | 'id'
  | 'status'
  | 'media'
  | 'video_address'
  | 'picture_address'
  | 'watermark_only'
  | 'other';

/** An answer about a post that a strategy cannot read. Whether the post or the platform is strange, others tell. */
export class UnreadableAnswer extends Failure {
  readonly shape: AnswerShape;

  constructor(shape: AnswerShape, details: { readonly note?: string; readonly cause?: unknown } = {}) {
    super('post_unreadable', details);
    this.shape = shape;
  }
}

/** Told of answers that could not be read, so that an operator sees a change of the platform coming. */
export interface UnreadableObserver {
  /** Each answer, also where another strategy then read the post. */
  answer(event: { readonly strategy: string; readonly shape: AnswerShape }): void;
  /** A post that no strategy could read, and what the first of them found. */
  post(event: {
    readonly platform: string;
    readonly id: string;
    readonly strategy: string;
    readonly shape: AnswerShape;
    readonly note: string;
  }): void;
}

/** So many different posts in a row that cannot be read speak of a change of the platform and not of the posts. */
const severalPosts = 5;
/** Posts that cannot be read are rare: over days a few of them come together whatever the platform does. */
const windowMs = 600_000;

/** Posts that one strategy could not read since it last read one. */
export class UnreadablePosts {
  /** When each was last met, in ms since any moment. */
  readonly #metAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Takes note of a post.
   * @returns whether several different ones came in a row
   */
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
