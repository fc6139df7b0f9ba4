import { readStored, writeStored } from '../../../site/browser/device/device-storage.ts';
import type { VisitorEvent } from '../../../site/visitors/events.ts';
import { continueSession, isKnown, learn } from './identity.ts';
import type { Transport } from './outbox.ts';

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
