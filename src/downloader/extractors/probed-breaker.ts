import { causesOf, Failure, type FailureKey } from '../../failures/failures.ts';
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
  /** Told of each opening and closing. */
  readonly onChange: (isOpen: boolean) => void;
}

/** Failures in a row, without any success, that open a breaker: of somebody's link, then of posts that were read before. */
const doubtsToOpen = 3;
/** Least time between trials: a visitor with links that fail causes no more. */
const doubtEveryMs = 30_000;

/** Instances give up a trial this long after its own limit. */
const trialMarginMs = 1000;

/**
 * One strategy behind its circuit breaker. Visitors choose the posts, and anybody can choose posts that fail: before
 * the breaker opens, and before it closes again, the strategy is probed with a post that was read before. Only while
 * there is no such post do failures from several networks decide.
 */
export class ProbedBreaker {
  readonly name: string;
  readonly #options: GuardedCallOptions;
  readonly #breaker: CircuitBreaker;
  readonly #unreadable: UnreadablePosts;
  #worked: PostReference | null = null;
  #isExamined = false;
  /** Failures since the last success that say something about the strategy. */
  #doubts = 0;
  #askedAt: number;
  #triedAt = Number.NEGATIVE_INFINITY;
  #why: Failure | null = null;
  constructor(options: GuardedCallOptions) {
    const { name, limitMs, now, sharedBreakers, onChange } = options;
    this.name = name;
    this.#options = options;
    const sharing = sharedBreakers && { breakers: sharedBreakers, name, trialMs: limitMs + trialMarginMs };
    this.#breaker = new CircuitBreaker(now, {}, sharing, onChange);
    this.#askedAt = now();
    this.#unreadable = new UnreadablePosts(now);
  }

  get state(): Omit<StrategyState, 'reads'> {
    const { state, successes, failures } = this.#breaker;
    return { name: this.name, state, successes, failures };
  }

  /** The last failure since the last success, for the operator; empty for none. */
  get why(): string {
    return this.#why === null ? '' : [this.#why.key, causesOf(this.#why)].filter(Boolean).join(': ');
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
      this.#works(call);
      this.#unreadable.clear();
      this.#worked = reference;
    } else if (isPlatformError(outcome)) {
      this.#why = outcome;
      this.#breaker.failed(call, reference.id, requester);
      this.#considerOpening();
    } else {
      this.#works(call);
    }
    return outcome instanceof UnreadableResponse ? this.#judge(outcome, reference) : outcome;
  }

  /** Somebody got no post: the strategy is tried soon. */
  doubt(): void {
    this.#doubts = Math.max(1, this.#doubts);
  }

  /** See {@link Extractor.tryWhenDue}. */
  async tryWhenDue(usual: PostReference | null, idleMs: number, signal: AbortSignal): Promise<void> {
    const reference = this.#goodPost ?? usual;
    const { state } = this.#breaker;
    if (state !== 'closed') this.#doubts = 0;
    if (reference === null || state === 'open') return;
    const now = this.#options.now();
    const isDoubted = this.#doubts > 1 || (this.#doubts > 0 && now - this.#triedAt >= doubtEveryMs);
    if (state === 'closed' && !isDoubted && now - this.#askedAt < idleMs) return;
    const call = state === 'closed' ? this.#breaker.beside() : await this.#breaker.tryEnter();
    if (call === null) return;
    this.#triedAt = now;
    if (await this.#tryWith(call, reference, signal)) return;
    this.#doubts += 1;
    if (this.#doubts >= doubtsToOpen) this.#breaker.open();
  }

  #works(call: BreakerCall): void {
    this.#doubts = 0;
    this.#why = null;
    this.#breaker.succeeded(call);
  }

  /** A single unreadable post is odd itself; when no post has been readable for a while, the platform has changed. */
  #judge(answer: UnreadableResponse, reference: PostReference): Failure {
    this.#options.onUnreadable(answer, reference);
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
    return this.#worked ?? this.#options.readElsewhere();
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
    const outcome = await this.#run(call, signal, (inner) => this.#options.probe(reference, inner));
    const works = !(outcome instanceof Failure && isPlatformError(outcome));
    if (works) {
      this.#works(call);
      this.#unreadable.clear();
    } else {
      this.#why = outcome;
      this.#breaker.failed(call, reference.id, '');
    }
    return works;
  }

  /** @throws only the caller's reason for leaving */
  async #run<T>(
    call: BreakerCall,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | Failure> {
    this.#askedAt = this.#options.now();
    try {
      return await withTimeLimit(this.#options.limitMs, signal, task);
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
