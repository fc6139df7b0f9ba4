import { asFailure, Failure, type FailureKey } from '../failures.ts';
import type { Post, PostReference } from '../posts/post.ts';
import { withTimeLimit } from '../posts/time-limit.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Clock, type Strategy, type StrategyState, UncertainRefusal } from './extractor.ts';

/** Finds the true reason of an uncertain refusal; reads no post itself. */
export interface Explainer {
  readonly name: string;
  readonly limitMs: number;
  explain(reference: PostReference, refusal: UncertainRefusal, signal: AbortSignal): Promise<Failure>;
}

interface ChainOptions {
  readonly strategies: readonly Strategy[];
  readonly explainer: Explainer | null;
  readonly clock: Clock;
}

/** When several ways fail, the reason that tells a visitor or an operator most. */
const tellingOrder: readonly FailureKey[] = [
  'platform_blocked',
  'platform_throttled',
  'platform_timeout',
  'platform_failed',
  'platform_changed',
];

/** The ways of reading a post in order, each behind its own circuit breaker. */
export class StrategyChain {
  readonly #steps: readonly { readonly strategy: Strategy; readonly breaker: CircuitBreaker }[];
  readonly #explainer: { readonly explainer: Explainer; readonly breaker: CircuitBreaker } | null;

  constructor({ strategies, explainer, clock }: ChainOptions) {
    this.#steps = strategies.map((strategy) => ({ strategy, breaker: new CircuitBreaker(clock) }));
    this.#explainer = explainer === null ? null : { explainer, breaker: new CircuitBreaker(clock) };
  }

  /** @throws Failure of the post itself, or the most telling `platform_…` failure */
  async read(reference: PostReference, signal: AbortSignal): Promise<Post> {
    let doubt: UncertainRefusal | null = null;
    const failures: Failure[] = [];
    for (const { strategy, breaker } of this.#steps) {
      const outcome = await attempt(breaker, strategy.limitMs, reference, signal, (inner) =>
        strategy.read(reference, inner),
      );
      if (outcome === null) continue;
      if (!(outcome instanceof Failure)) return outcome;
      if (isPlatformTrouble(outcome)) {
        failures.push(outcome);
        // One more opinion is enough; a refusal must not cost a visitor the time of every way there is.
        if (doubt !== null) break;
        continue;
      }
      if (!(outcome instanceof UncertainRefusal)) throw outcome;
      if (doubt !== null) {
        if (doubt.key === 'post_gone') doubt = outcome;
        break;
      }
      doubt = outcome;
    }
    if (doubt !== null) throw await this.#explain(reference, doubt, signal);
    throw this.#mostTelling(failures);
  }

  states(): readonly StrategyState[] {
    const steps = this.#steps.map(({ strategy, breaker }) => stateOf(strategy.name, breaker));
    if (this.#explainer === null) return steps;
    return [...steps, stateOf(this.#explainer.explainer.name, this.#explainer.breaker)];
  }

  async #explain(reference: PostReference, refusal: UncertainRefusal, signal: AbortSignal): Promise<Failure> {
    if (this.#explainer === null) return refusal;
    const { explainer, breaker } = this.#explainer;
    const outcome = await attempt(breaker, explainer.limitMs, reference, signal, (inner) =>
      explainer.explain(reference, refusal, inner),
    );
    return outcome === null || isPlatformTrouble(outcome) ? refusal : outcome;
  }

  #mostTelling(failures: readonly Failure[]): Failure {
    for (const key of tellingOrder) {
      const failure = failures.find((one) => one.key === key);
      if (failure !== undefined) return failure;
    }
    const waitMs = Math.min(...this.#steps.map(({ breaker }) => breaker.waitMs));
    return new Failure('platform_blocked', {
      note: 'every strategy is closed by its circuit breaker',
      retryAfterS: Math.max(1, Math.ceil((Number.isFinite(waitMs) ? waitMs : 0) / 1000)),
    });
  }
}

/** The result or the failure of one call; null when the breaker let none through. Only the asker's leaving throws. */
async function attempt<T>(
  breaker: CircuitBreaker,
  limitMs: number,
  reference: PostReference,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Failure | null> {
  if (!breaker.tryEnter()) return null;
  try {
    const result = await withTimeLimit(limitMs, signal, work);
    breaker.succeeded();
    return result;
  } catch (thrown) {
    if (signal.aborted) {
      breaker.abandoned();
      throw signal.reason;
    }
    // Whatever a reader trips over is a shape it did not expect.
    const failure = asFailure(thrown, 'platform_changed');
    if (isPlatformTrouble(failure)) breaker.failed(reference.id);
    else breaker.succeeded();
    return failure;
  }
}

function isPlatformTrouble(failure: Failure): boolean {
  return tellingOrder.includes(failure.key);
}

function stateOf(name: string, breaker: CircuitBreaker): StrategyState {
  return { name, state: breaker.state, successes: breaker.successes, failures: breaker.failures };
}
