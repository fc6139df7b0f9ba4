import { Failure } from '../../failures/failures.ts';
import type { SharedBreakers } from '../../stores/contracts/shared-breakers.ts';
import type { PlatformName, Post, PostReference } from '../post/post.ts';
import { type Strategy, type StrategyState, UncertainRefusal, VagueRefusal } from './extractor.ts';
import { isPlatformError, ProbedBreaker, platformErrors, type ReadRequest } from './probed-breaker.ts';
import { type BreakerChange, breakerOpen, type ReadingObserver } from './readings.ts';
import { type UnreadableObserver, UnreadableResponse } from './unreadable.ts';

/** Finds the true reason of an uncertain refusal; reads no post itself. */
export interface Explainer {
  readonly name: string;
  readonly limitMs: number;
  explain(reference: PostReference, refusal: UncertainRefusal, signal: AbortSignal): Promise<Failure>;
}

interface ChainOptions {
  /** Stands in front of the strategies' names wherever those of several platforms meet. */
  readonly platform: PlatformName;
  readonly strategies: readonly Strategy[];
  readonly explainer: Explainer | null;
  /** Shares circuit breakers with other instances; absent for a single instance. */
  readonly sharedBreakers?: SharedBreakers | null;
  readonly unreadable?: UnreadableObserver | undefined;
  readonly readings?: ReadingObserver | undefined;
  readonly onBreaker?: ((change: BreakerChange) => void) | undefined;
  /** ms since any moment */
  readonly now: () => number;
}

/** The strategies of a platform in order, each behind its own circuit breaker. */
export class StrategyChain {
  readonly #steps: readonly { readonly strategy: Strategy; readonly call: ProbedBreaker }[] = [];
  readonly #explainer: { readonly explainer: Explainer; readonly call: ProbedBreaker } | null = null;

  readonly #unreadable: UnreadableObserver | undefined;
  readonly #readings: ReadingObserver | undefined;
  readonly #onBreaker: (change: BreakerChange) => void;

  /** The latest post that any strategy has read. */
  #read: PostReference | null = null;

  constructor({
    platform,
    strategies,
    explainer,
    now,
    unreadable,
    readings,
    sharedBreakers = null,
    onBreaker = () => {},
  }: ChainOptions) {
    this.#unreadable = unreadable;
    this.#readings = readings;
    this.#onBreaker = onBreaker;
    const guarded = (
      { name: ownName, limitMs }: Pick<Strategy, 'name' | 'limitMs'>,
      probe: (reference: PostReference, signal: AbortSignal) => Promise<unknown>,
    ) => {
      const name = `${platform}/${ownName}`;
      return new ProbedBreaker({
        ...{ name, limitMs, now, probe, sharedBreakers },
        readElsewhere: () => this.#read,
        onUnreadable({ shape }, { id: example }) {
          unreadable?.answer({ strategy: name, shape });
          readings?.shape({ strategy: name, shape: { kind: 'unreadable', name: shape }, example });
        },
        onChange: (isOpen) => this.#changed(name, isOpen),
      });
    };
    this.#steps = strategies.map((strategy) => ({
      strategy,
      call: guarded(strategy, (reference, signal) => strategy.read(reference, signal)),
    }));
    this.#explainer = explainer && {
      explainer,
      call: guarded(explainer, (reference, signal) =>
        explainer.explain(reference, new UncertainRefusal('post_gone'), signal),
      ),
    };
  }

  /**
   * @param requester the requesting network, in any form that distinguishes networks
   * @throws Failure of the post itself, or the most informative `platform_…` failure
   */
  async read(reference: PostReference, signal: AbortSignal, requester = ''): Promise<Post> {
    const request: ReadRequest = { reference, requester, signal };
    let doubt: UncertainRefusal | null = null;
    let heardNothing = false;
    const failures: Failure[] = [];
    /** A slideshow that one strategy read without its pictures. */
    let soundAlone: Post | null = null;
    let unreadable: { readonly strategy: string; readonly answer: UnreadableResponse } | null = null;
    for (const { strategy, call } of this.#steps) {
      const outcome = await call.attempt(request, (inner) => strategy.read(reference, inner));
      if (outcome === null) {
        this.#readings?.answered({ strategy: call.name, outcome: breakerOpen });
        continue;
      }
      this.#readings?.answered({
        strategy: call.name,
        outcome: outcome instanceof Failure ? outcome.key : 'ok',
      });
      if (!(outcome instanceof Failure)) {
        this.#read = reference;
        // Some of the platform's answers omit the pictures; another strategy may have them.
        if (!isSoundAlone(outcome)) return outcome;
        if (soundAlone !== null || doubt !== null) return outcome;
        soundAlone = outcome;
        continue;
      }
      // One more opinion was enough, whatever its result.
      if (soundAlone !== null) return soundAlone;
      if (isPlatformError(outcome)) {
        failures.push(outcome);
        if (outcome instanceof UnreadableResponse) unreadable ??= { strategy: call.name, answer: outcome };
        // One more opinion is enough; a refusal must not cost a visitor the time of all strategies.
        if (doubt !== null) break;
        continue;
      }
      if (!(outcome instanceof UncertainRefusal)) throw outcome;
      // After a better strategy failed, "nothing here" proves nothing: others may still know the post.
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
    if (soundAlone !== null) return soundAlone;
    if (doubt !== null) throw await this.#explain(request, doubt);
    for (const { call } of this.#steps) call.doubt();
    const failure = this.#mostTelling(failures);
    if (/^(?:post_unreadable|media_host_unknown)$/.test(failure.key) && unreadable !== null) {
      const { strategy, answer } = unreadable;
      const { platform, id } = reference;
      this.#unreadable?.post({ platform, id, strategy, shape: answer.shape, note: answer.message });
    }
    throw failure;
  }

  states(): readonly StrategyState[] {
    return this.#calls.map(({ state }) => ({ ...state, reads: state.name !== this.#explainer?.call.name }));
  }

  /** See {@link Extractor.tryWhenDue}. */
  async tryWhenDue(usual: PostReference | null, idleMs: number, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#calls.map((call) => call.tryWhenDue(usual, idleMs, signal)));
  }

  get #calls(): readonly ProbedBreaker[] {
    const calls = this.#steps.map(({ call }) => call);
    return this.#explainer === null ? calls : [...calls, this.#explainer.call];
  }

  #changed(strategy: string, isOpen: boolean): void {
    // Others may have opened it before this one has begun.
    if (this.#steps.length === 0) return;
    const readers = this.states().filter(({ reads }) => reads);
    const reads = readers.some(({ name }) => name === strategy);
    const left = readers.filter(({ state }) => state === 'closed').length;
    const why = this.#calls.find(({ name }) => name === strategy)?.why ?? '';
    // The failure of one strategy may await the others.
    if (isOpen) for (const call of this.#calls) call.doubt();
    this.#onBreaker({ strategy, isOpen, reads, left, all: readers.length, why });
  }

  async #explain(request: ReadRequest, refusal: UncertainRefusal): Promise<Failure> {
    if (this.#explainer === null) return refusal;
    const { explainer, call } = this.#explainer;
    const outcome = await call.attempt(request, (inner) =>
      explainer.explain(request.reference, refusal, inner),
    );
    return outcome === null || isPlatformError(outcome) ? refusal : outcome;
  }

  #mostTelling(failures: readonly Failure[]): Failure {
    for (const key of platformErrors) {
      const failure = failures.find((one) => one.key === key);
      if (failure !== undefined) return failure;
    }
    const waitMs = Math.min(...this.#steps.map(({ call }) => call.waitMs));
    return new Failure('platform_blocked', {
      note: 'the circuit breaker of every strategy is open',
      retryAfterS: Math.max(1, Math.ceil((Number.isFinite(waitMs) ? waitMs : 0) / 1000)),
    });
  }
}

const isSoundAlone = ({ kind, pictures }: Post) =>
  kind === 'photos' && !pictures.some(({ source, motion }) => source !== null || motion !== null);
