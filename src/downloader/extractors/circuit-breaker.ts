import type { MonotonicClock, StrategyState } from './extractor.ts';

interface Limits {
  /** Failures in a row, each with another post, that speak against the way itself. */
  readonly failuresToOpen: number;
  /** How long it stays open at first; doubled each time the trial call fails too. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

const defaults: Limits = { failuresToOpen: 5, openMs: 30_000, maxOpenMs: 600_000 };

/** Failures that are remembered at most; far fewer decide. */
const maxRemembered = 50;

/**
 * Keeps a way that fails again and again from being tried by everybody: once it is open it is closed to all, then one
 * call at a time may try it. The caller reports how each call that was let in ended, and decides when to open it.
 */
export class CircuitBreaker {
  readonly #clock: MonotonicClock;
  readonly #limits: Limits;
  /** Posts that failed since the last success, and who asked for them. One odd post that many ask for counts once. */
  readonly #failed = new Map<string, string>();
  #opened: { readonly until: number; readonly forMs: number } | null = null;
  #trialRuns = false;
  #successes = 0;
  #failures = 0;

  constructor(clock: MonotonicClock, limits: Partial<Limits> = {}) {
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

  /** So many posts failed in a row that the way is worth a look. They may all be one visitor's choice. */
  get isSuspected(): boolean {
    return this.#opened === null && this.#failed.size >= this.#limits.failuresToOpen;
  }

  /** The same, and no single network's choice: each counts for two less than would be needed. */
  get isSuspectedBySeveral(): boolean {
    const { failuresToOpen } = this.#limits;
    const perAsker = new Map<string, number>();
    for (const asker of this.#failed.values()) perAsker.set(asker, (perAsker.get(asker) ?? 0) + 1);
    const counted = [...perAsker.values()].map((count) => Math.min(count, Math.max(1, failuresToOpen - 2)));
    return this.#opened === null && counted.reduce((sum, count) => sum + count, 0) >= failuresToOpen;
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
    this.#failed.clear();
    this.#opened = null;
    this.#trialRuns = false;
  }

  /**
   * @param subject what was asked for: a post's id
   * @param asker the network that asked, in any form that tells networks apart
   */
  failed(subject: string, asker: string): void {
    this.#failures++;
    const wasTrial = this.#trialRuns;
    this.#trialRuns = false;
    if (this.#opened !== null) {
      // A call from before the opening says nothing new; only the trial's failure prolongs it.
      if (wasTrial) this.#openFor(Math.min(this.#opened.forMs * 2, this.#limits.maxOpenMs));
    } else if (this.#failed.size < maxRemembered && !this.#failed.has(subject)) {
      this.#failed.set(subject, asker);
    }
  }

  /** The asker left before the call ended: it proves nothing. */
  abandoned(): void {
    this.#trialRuns = false;
  }

  open(): void {
    if (this.#opened === null) this.#openFor(this.#limits.openMs);
  }

  #openFor(forMs: number): void {
    this.#failed.clear();
    this.#opened = { until: this.#clock() + forMs, forMs };
  }
}
