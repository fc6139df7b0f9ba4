import type { z } from 'zod';
import type { DistributedSingleFlight } from '../../stores/contracts/distributed-single-flight.ts';
import { SingleFlight } from '../async/single-flight.ts';
import type { TakeTurn } from '../async/turns.ts';
import { type Outcome, OutcomeCache, type SharedOutcomes, shareOutcomes, unwrap } from './outcomes.ts';
import { type ReadingLimit, requestOnce } from './platform-requests.ts';

interface FinderOptions<Question, Answer extends object> {
  /** Asks the platform. */
  readonly request: (question: Question, signal: AbortSignal) => Promise<Answer>;
  /** Unique among all finders. */
  readonly keyOf: (question: Question) => string;
  /** Checks an answer of another instance. */
  readonly schema: z.ZodType<Answer>;
  /** Lifetime of an answer, in ms. */
  readonly ttlMs: number;
  /** Number of answers that are cached. */
  readonly max: number;
  readonly readingLimit: Pick<ReadingLimit, 'begin'>;
  readonly singleFlight: DistributedSingleFlight | null;
  /** ms since the epoch */
  readonly now: () => number;
  /** ms since any moment */
  readonly monotonicNow: () => number;
}

/** Asks the platform something small, caches the answers, and lets concurrent callers share one request. */
export class Finder<Question, Answer extends object> {
  readonly #options: FinderOptions<Question, Answer>;
  readonly #answers: OutcomeCache<Answer>;
  readonly #requests = new SingleFlight<Outcome<Answer>>();
  readonly #shared: SharedOutcomes<Answer>;

  constructor(options: FinderOptions<Question, Answer>) {
    this.#options = options;
    this.#answers = new OutcomeCache(options.max, options.monotonicNow);
    this.#shared = shareOutcomes(options.singleFlight, options.schema, options.now);
  }

  /** @throws Failure of the request, or the signal's reason */
  async find(question: Question, signal: AbortSignal, turn?: TakeTurn): Promise<Answer> {
    const key = this.#options.keyOf(question);
    const known = this.#answers.get(key);
    return unwrap(
      known ?? (await this.#requests.run(key, signal, (inner) => this.#ask(key, question, inner, turn))),
    );
  }

  async #ask(
    key: string,
    question: Question,
    signal: AbortSignal,
    turn?: TakeTurn,
  ): Promise<Outcome<Answer>> {
    const { request, readingLimit, ttlMs } = this.#options;
    const found = await requestOnce(
      {
        ...{ shared: this.#shared, key, signal, turn },
        request: (limited) => request(question, limited),
        ttlOf: () => ttlMs,
      },
      readingLimit,
    );
    if ('failure' in found.outcome) this.#answers.keepFailure(key, found.outcome.failure);
    else this.#answers.keep(key, found.outcome.value, found.ttlMs);
    return found.outcome;
  }
}
