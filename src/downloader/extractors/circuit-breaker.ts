import type { Clock, StrategyState } from './extractor.ts';

interface Limits {
  /** Failures in a row, each with another post, that open the circuit. */
  readonly failuresToOpen: number;
  /** How long it stays open at first; doubled each time the trial call fails too. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

const defaults: Limits = { failuresToOpen: 5, openMs: 30_000, maxOpenMs: 600_000 };

/**
 * Keeps a way that fails again and again from being tried by everybody: after some failures in a row it is closed to
 * all, then one call at a time may try it. The caller reports how each call that was let in ended.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #limits: Limits;
  /** What failed since the last success. One odd post asked for by many must not close the way to all others. */
  readonly #failedSubjects = new Set<string>();
  #opened: { readonly until: number; readonly forMs: number } | null = null;
  #trialRuns = false;
  #successes = 0;
  #failures = 0;

  constructor(clock: Clock, limits: Partial<Limits> = {}) {
    this.#clock = clock;
    this.#limits = { ...defaults, ...limits };
  }

  get state(): StrategyState['state'] {
    if (this.#opened === null) return 'closed';
    return this.#clock() < this.#opened.until ? 'open' : 'half-open';
  }

  get successes(): number {
    return this.#successes;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds until the next trial; 0 when calls are let in. */
  get waitMs(): number {
    return this.#opened === null ? 0 : Math.max(0, this.#opened.until - this.#clock());
  }

  /** Whether a call may start now. When true, `succeeded`, `failed` or `abandoned` must follow. */
  tryEnter(): boolean {
    const { state } = this;
    if (state === 'open' || (state === 'half-open' && this.#trialRuns)) return false;
    if (state === 'half-open') this.#trialRuns = true;
    return true;
  }

  succeeded(): void {
    this.#successes++;
    this.#failedSubjects.clear();
    this.#opened = null;
    this.#trialRuns = false;
  }

  /** @param subject what was asked for: a post's id */
  failed(subject: string): void {
    this.#failures++;
    const wasTrial = this.#trialRuns;
    this.#trialRuns = false;
    const before = this.#opened;
    if (before !== null) {
      // A call from before the opening says nothing new; only the trial's failure prolongs it.
      if (wasTrial) this.#open(Math.min(before.forMs * 2, this.#limits.maxOpenMs));
      return;
    }
    this.#failedSubjects.add(subject);
    if (this.#failedSubjects.size >= this.#limits.failuresToOpen) this.#open(this.#limits.openMs);
  }

  /** The asker left before the call ended: it proves nothing. */
  abandoned(): void {
    this.#trialRuns = false;
  }

  #open(forMs: number): void {
    this.#failedSubjects.clear();
    this.#opened = { until: this.#clock() + forMs, forMs };
  }
}
