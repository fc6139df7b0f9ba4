import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
import { SingleFlight } from '../async/single-flight.ts';
import type { TakeTurn } from '../async/turns.ts';
import { type MediaSource, type Post, type PostReference, postSchema } from '../post/post.ts';
import { type Outcome, OutcomeCache, type SharedOutcomes, shareOutcomes } from './outcomes.ts';
import { type ReadingLimit, requestOnce } from './platform-requests.ts';

const maxPosts = 2_000;
const postTtlMs = 300_000;
/** The platform may show more of a thin post soon. */
const thinTtlMs = 60_000;
/** A file that starts now should not lose its address at once. */
const expiryMarginMs = 60_000;
/** Callers with expired addresses come within moments of each other: one new reading serves all of them. */
const refreshSharedMs = 3_000;

interface ReadPost {
  readonly post: Post;
  /** Time of a reading that replaced an expired address; null for the first reading. */
  readonly refreshedAt: number | null;
}

interface Reading {
  readonly outcome: Outcome<ReadPost>;
  /** Whether another instance has read it. */
  readonly isShared: boolean;
}

interface ReadOptions {
  readonly fresh?: boolean;
  /** The known post that is read again; a failure does not replace it. */
  readonly thin?: Post | undefined;
  readonly requester?: string;
  readonly turn?: TakeTurn;
}

interface PostReaderOptions {
  /** Asks the platform. */
  readonly request: (reference: PostReference, signal: AbortSignal, requester?: string) => Promise<Post>;
  readonly readingLimit: Pick<ReadingLimit, 'begin'>;
  readonly singleFlight: DistributedSingleFlight | null;
  /** ms since the epoch */
  readonly now: () => number;
  /** ms since any moment */
  readonly monotonicNow: () => number;
}

/** Reads posts, caches them, and lets concurrent callers for a post share one reading. */
export class PostReader {
  readonly #options: PostReaderOptions;
  readonly #posts: OutcomeCache<ReadPost>;
  /** Failed re-readings of known posts: the cached outcome stays valid, but is not refreshed again at once. */
  readonly #failedRefreshes: OutcomeCache<ReadPost>;
  readonly #readings = new SingleFlight<Reading>();
  readonly #shared: SharedOutcomes<Post>;

  constructor(options: PostReaderOptions) {
    this.#options = options;
    this.#posts = new OutcomeCache(maxPosts, options.monotonicNow);
    this.#failedRefreshes = new OutcomeCache(maxPosts, options.monotonicNow);
    this.#shared = shareOutcomes(options.singleFlight, postSchema, options.now);
  }

  /** The cached outcome about a post. @param fresh its media addresses have stopped working */
  known(key: string, fresh: boolean): Outcome<ReadPost> | undefined {
    const outcome = this.#posts.get(key);
    if (outcome === undefined || !fresh) return outcome;
    // A failure is of a moment ago.
    if ('failure' in outcome) return outcome;
    const { refreshedAt } = outcome.value;
    if (refreshedAt !== null && this.#options.monotonicNow() - refreshedAt < refreshSharedMs) return outcome;
    return this.#failedRefreshes.get(key);
  }

  /** The cached post, when it is thin. */
  thin(key: string): Post | undefined {
    const outcome = this.#posts.get(key);
    return outcome !== undefined && 'value' in outcome && outcome.value.post.isThin
      ? outcome.value.post
      : undefined;
  }

  isBeingRead(key: string): boolean {
    return this.#readings.has(key);
  }

  /** Reads a post, or waits for a reading that has begun. @throws the signal's reason alone */
  read(key: string, reference: PostReference, options: ReadOptions, signal: AbortSignal): Promise<Reading> {
    return this.#readings.run(key, signal, (inner) => this.#readNow(key, reference, options, inner));
  }

  async #readNow(
    key: string,
    reference: PostReference,
    { thin, requester, turn, ...options }: ReadOptions,
    signal: AbortSignal,
  ): Promise<Reading> {
    const fresh = options.fresh || thin !== undefined;
    const { request, readingLimit, now, monotonicNow } = this.#options;
    const ttlOf = (post: Post) =>
      Math.min(post.isThin ? thinTtlMs : postTtlMs, soonestExpiry(post) - now() - expiryMarginMs);
    const { outcome, ttlMs, isShared } = await requestOnce(
      {
        shared: this.#shared,
        key: fresh ? `fresh ${key}` : key,
        signal,
        request: (inner) => request(reference, inner, requester),
        ttlOf: fresh ? (post) => Math.min(refreshSharedMs, ttlOf(post)) : ttlOf,
        turn,
      },
      readingLimit,
    );
    if ('failure' in outcome) {
      if (thin === undefined) this.#posts.keepFailure(key, outcome.failure);
      if (fresh) this.#failedRefreshes.keepFailure(key, outcome.failure);
      return { outcome, isShared };
    }
    const post = outcome.value;
    const keepMs = fresh ? ttlOf(post) : ttlMs;
    const read = { post, refreshedAt: fresh ? monotonicNow() : null };
    this.#posts.keep(key, read, keepMs);
    if (fresh && !isShared) await this.#shared.put(key, { outcome, ttlMs: keepMs });
    return { outcome: { value: read }, isShared };
  }
}

/** When the first of a post's files can no longer be fetched, in ms since the epoch. */
function soonestExpiry(post: Post): number {
  const sources: (MediaSource | null | undefined)[] = [
    ...post.videos.map((video) => video.source),
    ...post.separateSounds.map((sound) => sound.source),
    ...post.pictures.flatMap(({ source, motion }) => [source, motion]),
    post.sound?.source,
  ];
  return Math.min(...sources.map((source) => source?.expiresAt ?? Number.POSITIVE_INFINITY));
}
