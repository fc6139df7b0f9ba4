import type { OpenBreaker, SharedBreakers } from '../shared-breakers.ts';

/** Circuit breakers that several instances in this process share, for tests. */
export class MemorySharedBreakers {
  readonly #now: () => number;
  readonly #open = new Map<string, { forMs: number; until: number }>();
  readonly #trials = new Map<string, { by: SharedBreakers; until: number }>();
  readonly #listeners: { by: SharedBreakers; name: string; listener: (open: OpenBreaker | null) => void }[] =
    [];

  /** @param now ms since any moment */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The breakers as one instance sees them. */
  instance(): SharedBreakers {
    const set = (name: string, forMs: number) => {
      if (forMs > 0) this.#open.set(name, { forMs, until: this.#now() + forMs });
      else this.#open.delete(name);
      for (const { by, name: watched, listener } of this.#listeners)
        if (by !== self && watched === name) listener(this.#stateOf(name));
    };
    const self: SharedBreakers = {
      watch: (name, listener) => {
        this.#listeners.push({ by: self, name, listener });
        listener(this.#stateOf(name));
      },
      opened: set,
      closed: (name) => set(name, 0),
      beginTrial: async (name, limitMs) => {
        const trial = this.#trials.get(name);
        if (trial !== undefined && trial.until > this.#now()) return false;
        this.#trials.set(name, { by: self, until: this.#now() + limitMs });
        return true;
      },
      endTrial: (name) => {
        if (this.#trials.get(name)?.by === self) this.#trials.delete(name);
      },
    };
    return self;
  }

  #stateOf(name: string): OpenBreaker | null {
    const open = this.#open.get(name);
    return open === undefined ? null : { forMs: open.forMs, remainingMs: open.until - this.#now() };
  }
}
