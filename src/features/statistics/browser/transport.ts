import type { VisitorEvent } from '../../../web/visitors/events.ts';
import { continueSession, isKnown, learn } from './identity.ts';
import type { Transport } from './outbox.ts';

const storeName = 'waiting_reports';

/**
 * Sends reports to an address.
 * @param signal aborted when the visitor's consent has ended: answers that come later leave nothing behind
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
      // As text, like a beacon: other servers then need not be asked beforehand.
      const response = await fetch(address, { method: 'POST', body: text, keepalive: true, signal });
      if (response.ok) learn(await response.json());
      return response.status;
    },
    keep(events) {
      try {
        if (events.length === 0) localStorage.removeItem(storeName);
        else localStorage.setItem(storeName, JSON.stringify(events));
      } catch {
        // A store that is full or forbidden keeps nothing, and the visitor has other worries.
      }
    },
    takeKept() {
      try {
        const text = localStorage.getItem(storeName) ?? '[]';
        localStorage.removeItem(storeName);
        const kept: unknown = JSON.parse(text);
        return Array.isArray(kept) ? (kept as VisitorEvent[]) : [];
      } catch {
        // A store that is forbidden, or holds something else, holds no reports.
        return [];
      }
    },
  };
}
