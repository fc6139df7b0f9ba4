import { Failure } from '../failures.ts';
import type { Post, PostReference } from '../posts/post.ts';
import {
  type MonotonicClock,
  type Strategy,
  type StrategyState,
  UncertainRefusal,
  VagueRefusal,
} from './extractor.ts';
import { GuardedWay, isPlatformTrouble, type Question, troubles } from './guarded-way.ts';

/** Finds the true reason of an uncertain refusal; reads no post itself. */
export interface Explainer {
  readonly name: string;
  readonly limitMs: number;
  explain(reference: PostReference, refusal: UncertainRefusal, signal: AbortSignal): Promise<Failure>;
}

interface ChainOptions {
  readonly strategies: readonly Strategy[];
  readonly explainer: Explainer | null;
  readonly clock: MonotonicClock;
}

/** The ways of reading a post in order, each behind its own circuit breaker. */
export class StrategyChain {
  readonly #steps: readonly { readonly strategy: Strategy; readonly way: GuardedWay }[];
  readonly #explainer: { readonly explainer: Explainer; readonly way: GuardedWay } | null;

  /** The latest post that any of the ways read. */
  #read: PostReference | null = null;

  constructor({ strategies, explainer, clock }: ChainOptions) {
    const readElsewhere = () => this.#read;
    this.#steps = strategies.map((strategy) => {
      const { name, limitMs } = strategy;
      const probe: Strategy['read'] = (reference, signal) => strategy.read(reference, signal);
      return { strategy, way: new GuardedWay({ name, limitMs, clock, probe, readElsewhere }) };
    });
    if (explainer === null) {
      this.#explainer = null;
    } else {
      const { name, limitMs } = explainer;
      const probe = (reference: PostReference, signal: AbortSignal) =>
        explainer.explain(reference, new UncertainRefusal('post_gone'), signal);
      this.#explainer = { explainer, way: new GuardedWay({ name, limitMs, clock, probe, readElsewhere }) };
    }
  }

  /**
   * @param asker the network that asks, in any form that tells networks apart
   * @throws Failure of the post itself, or the most telling `platform_…` failure
   */
  async read(reference: PostReference, signal: AbortSignal, asker = ''): Promise<Post> {
    const question: Question = { reference, asker, signal };
    let doubt: UncertainRefusal | null = null;
    let heardNothing = false;
    const failures: Failure[] = [];
    for (const { strategy, way } of this.#steps) {
      const outcome = await way.attempt(question, (inner) => strategy.read(reference, inner));
      if (outcome === null) continue;
      if (!(outcome instanceof Failure)) {
        this.#read = reference;
        return outcome;
      }
      if (isPlatformTrouble(outcome)) {
        failures.push(outcome);
        // One more opinion is enough; a refusal must not cost a visitor the time of every way there is.
        if (doubt !== null) break;
        continue;
      }
      if (!(outcome instanceof UncertainRefusal)) throw outcome;
      // Where a better way ran into trouble, "nothing here" proves nothing: others may still know.
      if (outcome instanceof VagueRefusal && doubt === null && failures.length > 0) {
        heardNothing = true;
        continue;
      }
      if (doubt !== null) {
        if (doubt.key === 'post_gone') doubt = outcome;
        break;
      }
      doubt = outcome;
      if (heardNothing) break;
    }
    if (doubt !== null) throw await this.#explain(question, doubt);
    throw this.#mostTelling(failures);
  }

  states(): readonly StrategyState[] {
    const ways = this.#steps.map(({ way }) => way);
    if (this.#explainer !== null) ways.push(this.#explainer.way);
    return ways.map(({ state }) => state);
  }

  async #explain(question: Question, refusal: UncertainRefusal): Promise<Failure> {
    if (this.#explainer === null) return refusal;
    const { explainer, way } = this.#explainer;
    const outcome = await way.attempt(question, (inner) =>
      explainer.explain(question.reference, refusal, inner),
    );
    return outcome === null || isPlatformTrouble(outcome) ? refusal : outcome;
  }

  #mostTelling(failures: readonly Failure[]): Failure {
    for (const key of troubles) {
      const failure = failures.find((one) => one.key === key);
      if (failure !== undefined) return failure;
    }
    const waitMs = Math.min(...this.#steps.map(({ way }) => way.waitMs));
    return new Failure('platform_blocked', {
      note: 'every strategy is closed by its circuit breaker',
      retryAfterS: Math.max(1, Math.ceil((Number.isFinite(waitMs) ? waitMs : 0) / 1000)),
    });
  }
}
