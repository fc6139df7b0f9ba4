import { Failure, type FailureKey } from '../../failures/failures.ts';
import type { SharedBreakers } from '../../stores/contracts/shared-breakers.ts';
import { withTimeLimit } from '../async/time-limit.ts';
import type { PostReference } from '../post/post.ts';
import { type BreakerCall, CircuitBreaker } from './circuit-breaker.ts';
import type { StrategyState } from './extractor.ts';
import { UnreadablePosts, UnreadableResponse } from './unreadable.ts';

/** The platform's errors, the most informative for visitors and operators first. */
export const platformErrors: readonly FailureKey[] = [
  // The post was read; only its files are nowhere that we may fetch them from.
  'media_host_unknown',
  'platform_blocked',
  'platform_throttled',
  'platform_timeout',
  'platform_failed',
  // When a strategy reads other posts, the post is odd, whatever the other strategies report.
  'post_unreadable',
  'platform_changed',
];

export interface ReadRequest {
  readonly reference: PostReference;
  /** The requesting network; see {@link CircuitBreaker.failed}. */
  readonly requester: string;
  readonly signal: AbortSignal;
}

interface GuardedCallOptions {
  readonly name: string;
  readonly limitMs: number;
  /** See {@link Strategy}. */
  readonly maxOpenMs?: number | undefined;
  /** ms since any moment */
  readonly now: () => number;
  /** Requests a post only to test the strategy. */
  readonly probe: (reference: PostReference, signal: AbortSignal) => Promise<unknown>;
  /** A post that another strategy has read, used until this one has read one; null when there is none. */
  readonly readElsewhere: () => PostReference | null;
  /** Called for each answer about a visitor's post that cannot be read. */
  readonly onUnreadable: (answer: UnreadableResponse, reference: PostReference) => void;
  /** Shares its circuit breaker with other instances; null for a single instance. */
  readonly sharedBreakers: SharedBreakers | null;
}

/** Instances give up a trial this long after its own limit. */
const trialMarginMs = 1000;

/**
 * One strategy behind its circuit breaker. Visitors choose the posts, and anybody can choose posts that fail: before
 * the breaker opens, and before it closes again, the strategy is probed with a post that was read before. Only while
 * there is no such post do failures from several networks decide.
 */
export class ProbedBreaker {
  readonly name: string;
  readonly #limitMs: number;
  readonly #breaker: CircuitBreaker;
  readonly #probe: GuardedCallOptions['probe'];
  readonly #readElsewhere: GuardedCallOptions['readElsewhere'];
  readonly #onUnreadable: GuardedCallOptions['onUnreadable'];
  readonly #unreadable: UnreadablePosts;
  #worked: PostReference | null = null;
  #isExamined = false;

  constructor({
    name,
    limitMs,
    maxOpenMs,
    now,
    probe,
    readElsewhere,
    onUnreadable,
    sharedBreakers,
  }: GuardedCallOptions) {
    this.name = name;
    this.#limitMs = limitMs;
    const sharing = sharedBreakers && { breakers: sharedBreakers, name, trialMs: limitMs + trialMarginMs };
    this.#breaker = new CircuitBreaker(now, maxOpenMs === undefined ? {} : { maxOpenMs }, sharing);
    this.#probe = probe;
    this.#readElsewhere = readElsewhere;
    this.#onUnreadable = onUnreadable;
    this.#unreadable = new UnreadablePosts(now);
  }

  get state(): StrategyState {
    const { state, successes, failures } = this.#breaker;
    return { name: this.name, state, successes, failures };
  }

  /** Milliseconds until the next trial; 0 when calls are let in. */
  get waitMs(): number {
    return this.#breaker.waitMs;
  }

  /** The result or the failure of one call; null when the breaker rejected it. Throws only when the caller leaves. */
  async attempt<T>(
    { reference, requester, signal }: ReadRequest,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | Failure | null> {
    const call = await this.#enter(signal);
    if (call === null) return null;
    const outcome = await this.#run(call, signal, task);
    if (!(outcome instanceof Failure)) {
      this.#breaker.succeeded(call);
      this.#unreadable.clear();
      this.#worked = reference;
    } else if (isPlatformError(outcome)) {
      this.#breaker.failed(call, reference.id, requester);
      this.#considerOpening();
    } else {
      this.#breaker.succeeded(call);
    }
    return outcome instanceof UnreadableResponse ? this.#judge(outcome, reference) : outcome;
  }

  /** A single unreadable post is odd itself; when no post has been readable for a while, the platform has changed. */
  #judge(answer: UnreadableResponse, reference: PostReference): Failure {
    this.#onUnreadable(answer, reference);
    // That the hosts are new says more than that something has changed.
    if (answer.shape === 'media_host' || !this.#unreadable.add(reference.id)) return answer;
    return new Failure('platform_changed', { note: 'several posts cannot be read', cause: answer });
  }

  async #enter(signal: AbortSignal): Promise<BreakerCall | null> {
    const good = this.#goodPost;
    if (this.#breaker.state === 'half-open' && good !== null) {
      const trial = await this.#breaker.tryEnter();
      if (trial === null) return null;
      await this.#tryWith(trial, good, signal);
    }
    return this.#breaker.tryEnter();
  }

  get #goodPost(): PostReference | null {
    return this.#worked ?? this.#readElsewhere();
  }

  #considerOpening(): void {
    const good = this.#goodPost;
    if (good === null) {
      if (this.#breaker.isSuspectedBySeveral) this.#breaker.open();
    } else if (this.#breaker.isSuspected && !this.#isExamined) {
      // Runs beside the visitors' calls: none of them waits for it or ends it by leaving.
      this.#isExamined = true;
      void this.#tryWith(this.#breaker.beside(), good, new AbortController().signal).then((works) => {
        this.#isExamined = false;
        if (!works) this.#breaker.open();
      });
    }
  }

  /** Whether the strategy works for a post that was read before. A refusal counts as success: posts do get deleted. */
  async #tryWith(call: BreakerCall, reference: PostReference, signal: AbortSignal): Promise<boolean> {
    const outcome = await this.#run(call, signal, (inner) => this.#probe(reference, inner));
    const works = !(outcome instanceof Failure && isPlatformError(outcome));
    if (works) {
      this.#breaker.succeeded(call);
      this.#unreadable.clear();
    } else this.#breaker.failed(call, reference.id, '');
    return works;
  }

  /** @throws only the caller's reason for leaving */
  async #run<T>(
    call: BreakerCall,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | Failure> {
    try {
      return await withTimeLimit(this.#limitMs, signal, task);
    } catch (thrown) {
      if (signal.aborted) {
        this.#breaker.abandoned(call);
        throw signal.reason;
      }
      // Any error of a reader means an unexpected shape.
      return thrown instanceof Failure ? thrown : new UnreadableResponse('other', { cause: thrown });
    }
  }
}

/** Whether a failure is the platform's error and not an answer about the post. */
export function isPlatformError(failure: Failure): boolean {
  return platformErrors.includes(failure.key);
}
