/** How often something of a kind succeeded and failed. */
export interface Outcomes {
  readonly kind: string;
  readonly succeeded: number;
  readonly failed: number;
}

/** Adds up what instances have. */
export function addOutcomes(all: readonly (readonly Outcomes[])[]): readonly Outcomes[] {
  const sums = new Map<string, Outcomes>();
  for (const { kind, succeeded, failed } of all.flat()) {
    const sum = sums.get(kind) ?? { kind, succeeded: 0, failed: 0 };
    sums.set(kind, { kind, succeeded: sum.succeeded + succeeded, failed: sum.failed + failed });
  }
  return [...sums.values()];
}

const slotMs = 10_000;
const keptSlots = 360;

interface Slot {
  readonly at: number;
  readonly outcomes: Map<string, Outcomes>;
}

/** @param now milliseconds since any moment */
export function createRecentCounts(now: () => number) {
  /** The newest first. */
  let slots: Slot[] = [];
  let restarted: Slot | null = null;
  const slotNow = () => Math.floor(now() / slotMs);
  const begin = (): Slot => {
    const slot = { at: slotNow(), outcomes: new Map() };
    slots = [slot, ...slots.filter(({ at }) => at > slot.at - keptSlots)];
    return slot;
  };
  const kept = () => slots.filter(({ at }) => at > slotNow() - keptSlots);

  return {
    /** @param kind of a closed list */
    add(kind: string, isFailure: boolean) {
      const { outcomes } = slots[0]?.at === slotNow() ? slots[0] : begin();
      const { succeeded, failed } = outcomes.get(kind) ?? { succeeded: 0, failed: 0 };
      const [more, worse] = isFailure ? [0, 1] : [1, 0];
      outcomes.set(kind, { kind, succeeded: succeeded + more, failed: failed + worse });
    },
    /** Sums of each kind over a time, an hour at most. */
    within: (lastMs: number): readonly Outcomes[] =>
      addOutcomes(
        kept()
          .filter(({ at }) => at > slotNow() - lastMs / slotMs)
          .map(({ outcomes }) => [...outcomes.values()]),
      ),
    /** Sums of the last ones of each kind since the restart, until there are enough. */
    last(enough: number): readonly Outcomes[] {
      const sums = new Map<string, Outcomes>();
      for (const slot of kept()) {
        for (const one of slot.outcomes.values()) {
          const sum = sums.get(one.kind) ?? { kind: one.kind, succeeded: 0, failed: 0 };
          if (sum.succeeded + sum.failed < enough)
            for (const added of addOutcomes([[sum, one]])) sums.set(added.kind, added);
        }
        if (slot === restarted) break;
      }
      return [...sums.values()];
    },
    /** From now on `last` has only what comes. */
    restart() {
      restarted = begin();
    },
  };
}

/** Outcomes of the last hour on one instance, in memory. */
export type RecentCounts = ReturnType<typeof createRecentCounts>;
