import { readStored, writeStored } from '../../../site/browser/device/device-storage.ts';
import type { VisitorEvent } from '../../../site/visitors/events.ts';
import { continueSession, isKnown, learn } from './identity.ts';

/** Sends reports from the page. */
export interface Transport {
  isOnline(): boolean;
  /** Whether an answer would say something new. */
  needsAnswer(): boolean;
  /** Hands a text over to the browser. @returns false when it does not take it */
  beacon(text: string): boolean;
  /** Sends a text and waits for the response. @returns the status; throws when the server is unreachable */
  post(text: string): Promise<number>;
  /** Stores unsent reports for the next page; an empty list stores nothing. */
  keep(events: readonly VisitorEvent[]): void;
  /** Takes over the last page's unsent reports. */
  takeKept(): readonly VisitorEvent[];
}

const delayMs = 1000;
/** The server takes twenty, and 16 kB: a report has about one. */
const mostInList = 12;
/** More than a visitor does in an hour offline. */
const mostWaiting = 200;
const firstRetryMs = 10_000;
const longestRetryMs = 300_000;

const write = (events: readonly VisitorEvent[]) => JSON.stringify(events.length === 1 ? events[0] : events);

/** Makes the outbox of a page. What the last page could not send goes first. */
export function createOutbox(transport: Transport) {
  let waiting: readonly VisitorEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = firstRetryMs;
  let asked: readonly VisitorEvent[] = [];
  let hasEnded = false;

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(flush, ms);
  }

  /** Sends and reads the response; unsent reports are sent again later, under the same names. */
  async function ask(batch: readonly VisitorEvent[]): Promise<void> {
    asked = batch;
    const status = await transport.post(write(batch)).catch(() => 0);
    const isLater = !status || status === 429 || status >= 500;
    // The batch may have been stored meanwhile.
    if (isLater && asked === batch && !hasEnded) waiting = [...batch, ...waiting];
    asked = [];
    if (isLater) {
      schedule(retryMs);
      retryMs = Math.min(longestRetryMs, retryMs * 2);
      return;
    }
    retryMs = firstRetryMs;
    if (waiting.length > 0) flush();
  }

  /** Nothing is lost offline: waiting reports are stored beyond the page's end, and taken over by the next page. */
  function keepAll(): void {
    transport.keep([...transport.takeKept(), ...asked, ...waiting]);
    asked = [];
    waiting = [];
  }

  function flush(isLeaving = false): void {
    clearTimeout(timer);
    if (hasEnded) return;
    if (!transport.isOnline()) {
      if (isLeaving) keepAll();
      return;
    }
    if (asked.length > 0 && !isLeaving) return;
    waiting = [...transport.takeKept(), ...waiting];
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostInList);
      waiting = waiting.slice(mostInList);
      const isBeacon = isLeaving || !transport.needsAnswer();
      if (isBeacon && transport.beacon(write(batch))) continue;
      void ask(batch);
      if (!isLeaving) return;
    }
  }

  schedule(delayMs);
  return {
    add(event: VisitorEvent) {
      if (hasEnded) return;
      waiting = [...waiting, event].slice(-mostWaiting);
      // A server that refused reports is left alone for a while.
      if (waiting.length >= mostInList && retryMs === firstRetryMs) flush();
      else if (waiting.length === 1) schedule(delayMs);
    },
    /** Sends everything now. @param isLeaving the page may be gone the next moment */
    flush,
    /** Drops all waiting reports, including those stored for the next page, and sends no more. */
    end() {
      hasEnded = true;
      waiting = [];
      asked = [];
      clearTimeout(timer);
      transport.keep([]);
    },
  };
}

const storeName = 'waiting_reports';

/**
 * Sends reports to an address.
 * @param signal aborts when the visitor's consent has ended: later responses store nothing
 */
export function createTransport(address: string, signal: AbortSignal): Transport {
  return {
    isOnline: () => navigator.onLine,
    needsAnswer: () => !isKnown(),
    beacon(text) {
      continueSession();
      return navigator.sendBeacon?.(address, text) ?? false;
    },
    async post(text) {
      continueSession();
      // Plain text, like a beacon's: other servers then need no preflight.
      const response = await fetch(address, { method: 'POST', body: text, keepalive: true, signal });
      if (response.ok) learn(await response.json());
      return response.status;
    },
    keep: (events) => writeStored(storeName, events.length === 0 ? null : JSON.stringify(events)),
    takeKept() {
      const text = readStored(storeName) ?? '[]';
      writeStored(storeName, null);
      try {
        const kept: unknown = JSON.parse(text);
        return Array.isArray(kept) ? (kept as VisitorEvent[]) : [];
      } catch {
        // Other content is no report.
        return [];
      }
    },
  };
}
