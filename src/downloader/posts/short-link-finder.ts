import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
import { SingleFlight } from '../async/single-flight.ts';
import type { TakeTurn } from '../async/turns.ts';
import { type Outcome, OutcomeCache, unwrap } from './outcome-cache.ts';
import type { PostReference, ShortLink } from './post.ts';
import { referenceSchema } from './post-schema.ts';
import type { ReadingLimit } from './reading-limit.ts';
import { requestOnce } from './request-once.ts';
import { type SharedOutcomes, shareOutcomes } from './shared-outcomes.ts';

const maxCodes = 5_000;
const codeTtlMs = 3_600_000;

interface ShortLinkFinderOptions {
  /** Asks the platform. */
  readonly request: (link: ShortLink, signal: AbortSignal) => Promise<PostReference>;
  readonly readingLimit: Pick<ReadingLimit, 'begin'>;
  readonly singleFlight: DistributedSingleFlight | null;
  /** ms since the epoch */
  readonly now: () => number;
  /** ms since any moment */
  readonly monotonicNow: () => number;
}

/** Finds the posts of short links, caches them for an hour, and lets concurrent callers for a link share one search. */
export class ShortLinkFinder {
  readonly #options: ShortLinkFinderOptions;
  readonly #references: OutcomeCache<PostReference>;
  readonly #searches = new SingleFlight<Outcome<PostReference>>();
  readonly #shared: SharedOutcomes<PostReference>;

  constructor(options: ShortLinkFinderOptions) {
    this.#options = options;
    this.#references = new OutcomeCache(maxCodes, options.monotonicNow);
    this.#shared = shareOutcomes(options.singleFlight, referenceSchema, options.now);
  }

  /** @throws Failure `short_link_dead`, `platform_…`, or the signal's reason */
  async find(link: ShortLink, signal: AbortSignal, turn?: TakeTurn): Promise<PostReference> {
    const key = `${link.platform} ${link.code}`;
    const known = this.#references.get(key);
    return unwrap(
      known ?? (await this.#searches.run(key, signal, (inner) => this.#search(key, link, inner, turn))),
    );
  }

  async #search(
    key: string,
    link: ShortLink,
    signal: AbortSignal,
    turn?: TakeTurn,
  ): Promise<Outcome<PostReference>> {
    const { request, readingLimit } = this.#options;
    const { outcome, ttlMs } = await requestOnce(
      {
        ...{ shared: this.#shared, key, signal },
        request: (limited) => request(link, limited),
        ttlOf: () => codeTtlMs,
        turn,
      },
      readingLimit,
    );
    if ('failure' in outcome) this.#references.keepFailure(key, outcome.failure);
    else this.#references.keep(key, outcome.value, ttlMs);
    return outcome;
  }
}
