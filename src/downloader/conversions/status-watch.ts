import type { ConversionStatus } from './contracts.ts';

/** Lets many watch the status of many conversions. */
export interface StatusWatch {
  /** Says that something changed. @param urgent true for another state, false for progress alone */
  changed(key: string, urgent: boolean): void;
  /** The present status and every change; ends after a final state, or when the signal is aborted. */
  watch(
    key: string,
    read: () => ConversionStatus,
    signal: AbortSignal,
  ): AsyncGenerator<ConversionStatus, void, void>;
  readonly watchers: number;
}

const isFinal = ({ state }: ConversionStatus) =>
  state === 'done' || state === 'failed' || state === 'cancelled';

const isSame = (one: ConversionStatus, other: ConversionStatus) =>
  one.state === other.state &&
  one.ahead === other.ahead &&
  one.fraction === other.fraction &&
  one.bytes === other.bytes &&
  one.error === other.error;

/** @param intervalMs between two reports of progress to one watcher; another state is reported at once */
export function createStatusWatch(intervalMs: number): StatusWatch {
  const listeners = new Map<string, Set<(urgent: boolean) => void>>();
  let watchers = 0;

  function listen(key: string, listener: (urgent: boolean) => void): () => void {
    const group = listeners.get(key) ?? new Set();
    group.add(listener);
    listeners.set(key, group);
    watchers += 1;
    return () => {
      group.delete(listener);
      if (group.size === 0 && listeners.get(key) === group) listeners.delete(key);
      watchers -= 1;
    };
  }

  async function* watch(key: string, read: () => ConversionStatus, signal: AbortSignal) {
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
      let last: ConversionStatus | null = null;
      while (!signal.aborted) {
        const current = read();
        rest();
        if (last === null || !isSame(last, current)) yield current;
        last = current;
        if (isFinal(current)) return;
        await due();
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', goOnIfDue);
      stopListening();
    }
  }

  return {
    changed(key, urgent) {
      for (const listener of listeners.get(key) ?? []) listener(urgent);
    },
    watch,
    get watchers() {
      return watchers;
    },
  };
}
