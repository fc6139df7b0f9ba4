import { type ConversionState, isFinal } from '../../contracts/conversion-store.ts';

const isSame = (one: ConversionState | null, other: ConversionState | null) =>
  one?.state === other?.state &&
  one?.ahead === other?.ahead &&
  one?.fraction === other?.fraction &&
  one?.bytes === other?.bytes &&
  one?.error === other?.error;

/** @param intervalMs between two reports of progress to one watcher; another state is reported at once */
export function createStateWatch(intervalMs: number) {
  const listeners = new Map<string, Set<(urgent: boolean) => void>>();

  function listen(key: string, listener: (urgent: boolean) => void): () => void {
    const group = listeners.get(key) ?? new Set();
    group.add(listener);
    listeners.set(key, group);
    return () => {
      group.delete(listener);
      if (group.size === 0 && listeners.get(key) === group) listeners.delete(key);
    };
  }

  async function* watch(key: string, read: () => ConversionState | null, signal: AbortSignal) {
    let urgent = false;
    let changed = false;
    let resting = false;
    let timer: NodeJS.Timeout | undefined;
    let resume: (() => void) | null = null;

    const goOnIfDue = () => {
      if (signal.aborted || urgent || (changed && !resting)) resume?.();
    };
    const due = () =>
      new Promise<void>((resolve) => {
        resume = resolve;
        goOnIfDue();
      });
    const rest = () => {
      urgent = false;
      changed = false;
      resting = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        resting = false;
        goOnIfDue();
      }, intervalMs).unref();
    };

    const stopListening = listen(key, (isUrgent) => {
      urgent ||= isUrgent;
      changed = true;
      goOnIfDue();
    });
    signal.addEventListener('abort', goOnIfDue);
    try {
      let last: ConversionState | null | undefined;
      while (!signal.aborted) {
        const current = read();
        rest();
        if (last === undefined || !isSame(last, current)) yield current;
        last = current;
        if (current !== null && isFinal(current)) return;
        await due();
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', goOnIfDue);
      stopListening();
    }
  }

  return {
    /** Reports a change. @param urgent true for a new state, false for progress only */
    changed(key: string, urgent: boolean) {
      for (const listener of listeners.get(key) ?? []) listener(urgent);
    },
    /** The present state and every change; ends after a final one, or when the signal is aborted. */
    watch,
  };
}
