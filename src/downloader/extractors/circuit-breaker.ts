import type { OpenBreaker, SharedBreakers } from '../../stores/contracts/shared-breakers.ts';
import type { StrategyState } from './extractor.ts';

interface Limits {
  /** Consecutive failures, each with another post, that count against the strategy itself. */
  readonly failuresToOpen: number;
  /** How long it stays open at first; doubled each time the trial call fails. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

const defaults: Limits = { failuresToOpen: 5, openMs: 30_000, maxOpenMs: 60_000 };

/** Failures that are remembered at most; far fewer decide. */
const maxRemembered = 50;

/** A breaker's part in what instances have in common. */
export interface BreakerSharing {
  readonly breakers: SharedBreakers;
  /** The same on all instances. */
  readonly name: string;
  /** Maximum duration of a trial. */
  readonly trialMs: number;
}

/** One call that the breaker let through. Its result counts only in the generation in which it began. */
export interface BreakerCall {
  /** Number of openings and closings before the call. */
  readonly generation: number;
}

/**
 * Stops calls to a strategy that fails repeatedly: an open breaker rejects all calls, then lets one trial call through
 * at a time. The caller reports how each call ended and decides when to open it. Instances that share a breaker open
 * and close together and make one trial among them; each counts its own failures.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  readonly #limits: Limits;
  readonly #sharing: BreakerSharing | null;
  readonly #onChange: (isOpen: boolean) => void;
  /** Posts that failed since the last success, and who requested them. One odd post that many request counts once. */
  readonly #failed = new Map<string, string>();
  #opened: { readonly until: number; readonly forMs: number } | null = null;
  #generation = 0;
  #trial: BreakerCall | null = null;
  #successes = 0;
  #failures = 0;

  /** @param onChange told of each opening and closing, also by another instance */
  constructor(
    now: () => number,
    limits: Partial<Limits> = {},
    sharing: BreakerSharing | null = null,
    onChange: (isOpen: boolean) => void = () => {},
  ) {
    this.#now = now;
    this.#limits = { ...defaults, ...limits };
    this.#sharing = sharing;
    this.#onChange = onChange;
    sharing?.breakers.watch(sharing.name, (open) => this.#heard(open));
  }

  get state(): StrategyState['state'] {
    if (this.#opened === null) return 'closed';
    return this.#now() < this.#opened.until ? 'open' : 'half-open';
  }

  get successes(): number {
    return this.#successes;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds until the next trial; 0 when calls are let in. */
  get waitMs(): number {
    return this.#opened === null ? 0 : Math.max(0, this.#opened.until - this.#now());
  }

  /** Whether enough different posts failed in a row to suspect the strategy. They may all be one visitor's choice. */
  get isSuspected(): boolean {
    return this.#opened === null && this.#failed.size >= this.#limits.failuresToOpen;
  }

  /** Like {@link isSuspected}, but no single network can cause it: each network counts for two less than needed. */
  get isSuspectedBySeveral(): boolean {
    const { failuresToOpen } = this.#limits;
    const perRequester = new Map<string, number>();
    for (const requester of this.#failed.values())
      perRequester.set(requester, (perRequester.get(requester) ?? 0) + 1);
    const counted = [...perRequester.values()].map((count) =>
      Math.min(count, Math.max(1, failuresToOpen - 2)),
    );
    return this.#opened === null && counted.reduce((sum, count) => sum + count, 0) >= failuresToOpen;
  }

  /** A call that may start now, or null. `succeeded`, `failed` or `abandoned` must follow. */
  async tryEnter(): Promise<BreakerCall | null> {
    const { state } = this;
    if (state === 'open' || (state === 'half-open' && this.#trial !== null)) return null;
    const call = this.beside();
    if (state === 'closed') return call;
    this.#trial = call;
    const sharing = this.#sharing;
    if (sharing === null || (await sharing.breakers.beginTrial(sharing.name, sharing.trialMs))) return call;
    this.#trial = null;
    return null;
  }

  /** A call outside the breaker: it needs no permission and is no trial. */
  beside(): BreakerCall {
    return { generation: this.#generation };
  }

  succeeded(call: BreakerCall): void {
    this.#successes++;
    const counts = this.#counts(call);
    this.#endTrial(call);
    if (!counts) return;
    this.#failed.clear();
    if (this.#opened === null) return;
    this.#opened = null;
    this.#generation++;
    this.#sharing?.breakers.closed(this.#sharing.name);
    this.#onChange(false);
  }

  /**
   * @param subject the requested post's id
   * @param requester the requesting network, in any form that distinguishes networks
   */
  failed(call: BreakerCall, subject: string, requester: string): void {
    this.#failures++;
    const counts = this.#counts(call);
    this.#endTrial(call);
    if (!counts) return;
    if (this.#opened !== null) {
      this.#openFor(Math.min(this.#opened.forMs * 2, this.#limits.maxOpenMs));
    } else if (this.#failed.size < maxRemembered && !this.#failed.has(subject)) {
      this.#failed.set(subject, requester);
    }
  }

  /** The caller left before the call ended: it proves nothing. */
  abandoned(call: BreakerCall): void {
    this.#endTrial(call);
  }

  open(): void {
    if (this.#opened === null) this.#openFor(this.#limits.openMs);
  }

  #openFor(forMs: number): void {
    const isNew = this.#opened === null;
    this.#failed.clear();
    this.#opened = { until: this.#now() + forMs, forMs };
    this.#generation++;
    this.#sharing?.breakers.opened(this.#sharing.name, forMs);
    if (isNew) this.#onChange(true);
  }

  /**
   * A call from before the last opening or closing counts no more; while the breaker is open, only the trial counts.
   */
  #counts(call: BreakerCall): boolean {
    return call.generation === this.#generation && (this.#opened === null || call === this.#trial);
  }

  #endTrial(call: BreakerCall): void {
    if (call !== this.#trial) return;
    this.#sharing?.breakers.endTrial(this.#sharing.name);
    this.#trial = null;
  }

  /** Another instance has opened or closed it. */
  #heard(open: OpenBreaker | null): void {
    const wasOpen = this.#opened !== null;
    this.#failed.clear();
    if (open !== null || wasOpen) this.#generation++;
    this.#opened = open === null ? null : { until: this.#now() + open.remainingMs, forMs: open.forMs };
    if (wasOpen !== (open !== null)) this.#onChange(!wasOpen);
  }
}
