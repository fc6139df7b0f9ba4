import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ClaimLost, type OpenMessage, type PushOutcome, type Subscriber } from '../contracts.ts';
import type { PushStore } from '../push-store.ts';
import type { Deliver } from './deliver-push.ts';

/** A host of a push service, or `*.` and the domain that its hosts lie one label below. */
export type ServiceHost = string;

const longestEndpoint = 1000;

/** Percent-encoded letters, digits, `-`, `.`, `_` and `~`: the same address is written without (RFC 3986, section 2.3). */
const encodedForNothing = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

function isOfService(host: string, service: ServiceHost): boolean {
  if (!service.startsWith('*.')) return host === service;
  const label = host.slice(0, -(service.length - 1));
  return host === label + service.slice(1) && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label);
}

/**
 * Whether an endpoint belongs to one of the services: nothing is sent to any other, whatever a visitor registers. It
 * must be in the canonical form of browsers, so that a device cannot be registered under many addresses.
 */
export function isServiceEndpoint(endpoint: string, services: readonly ServiceHost[]): boolean {
  if (endpoint.length > longestEndpoint || endpoint.includes('#') || encodedForNothing.test(endpoint))
    return false;
  const url = URL.parse(endpoint);
  if (url?.protocol !== 'https:' || url.href !== endpoint || url.username + url.password !== '') return false;
  return services.some((service) => isOfService(url.host, service));
}

export interface SendPushOptions {
  readonly store: PushStore;
  readonly deliver: Deliver;
  readonly services: readonly ServiceHost[];
  /** Takes over from another sender, as an operator's command does. */
  readonly takesOver?: boolean;
  /** Who sends; another one at each call when left out. */
  readonly owner?: string;
  /** Subscribers between two saves of the progress: at most so many get a message twice after a crash. */
  readonly batchSize?: number;
  /** Waits before the second try; a timer when left out. */
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  /** No further batch begins after it aborts. */
  readonly signal?: AbortSignal;
  readonly onBatch?: (outcome: PushOutcome) => void;
  /** Called with the first subscriber of a batch for whom a message cannot be encrypted. */
  readonly onBroken?: (subscriber: Subscriber, error: unknown) => void;
}

/** All of a batch are sent at once. */
const usualBatchSize = 32;
/** Before the second try, shorter than a claim. */
const retryMs = 30_000;

type Fate = keyof PushOutcome | 'retry';

function fateOf(status: number | null): Fate {
  if (status === null || status === 429 || status >= 500) return 'retry';
  // RFC 8030, section 7.3: the subscription has expired or was ended.
  if (status === 404 || status === 410) return 'gone';
  return status >= 200 && status < 300 ? 'sent' : 'failed';
}

/** Ends early, and without an error, when the signal says so. */
async function pauseFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  await pause(delayMs, undefined, { ...(signal && { signal }) }).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
}

/** Sends a message to all its subscribers, then once more to those who may be reached later. */
async function sendMessage(message: OpenMessage, owner: string, options: SendPushOptions): Promise<void> {
  const { store, deliver, services, signal, batchSize = usualBatchSize, wait = pauseFor } = options;
  const retry: number[] = [];

  async function sendBatch(subscribers: readonly Subscriber[], reached: number | null): Promise<void> {
    let isReported = false;
    const fates = await Promise.all(
      subscribers.map(async (subscriber): Promise<Fate> => {
        // The list of services may have changed since the device registered.
        if (!isServiceEndpoint(subscriber.endpoint, services)) return 'failed';
        try {
          return fateOf(await deliver(subscriber, message));
        } catch (error) {
          if (!isReported) options.onBroken?.(subscriber, error);
          isReported = true;
          return 'failed';
        }
      }),
    );
    const idsOf = (...wanted: Fate[]) =>
      subscribers.flatMap(({ id }, n) => (wanted.includes(fates[n] ?? 'failed') ? [id] : []));
    const outcome = { sent: idsOf('sent'), gone: idsOf('gone'), failed: idsOf('failed', 'retry') };
    if (reached !== null) retry.push(...idsOf('retry'));
    await store.note(message, owner, outcome, reached);
    options.onBatch?.(outcome);
  }

  for (let reached = message.reached; ; ) {
    if (signal?.aborted) return;
    const batch = await store.nextBatch(message, reached, batchSize);
    if (batch === null) break;
    await sendBatch(batch.subscribers, batch.reached);
    reached = batch.reached;
  }
  if (retry.length > 0) await wait(retryMs, signal);
  for (let at = 0; at < retry.length; at += batchSize) {
    if (signal?.aborted) return;
    await sendBatch(await store.find(retry.slice(at, at + batchSize)), null);
  }
  await store.close(message.id);
}

/**
 * Sends all open messages, the oldest first, until there is none, another sender takes over, or the signal aborts. After
 * an error nobody sends for a minute.
 */
export async function sendOpenPush(options: SendPushOptions): Promise<void> {
  const { store, signal, takesOver = false, owner = randomUUID() } = options;
  if (!(await store.claim(owner, takesOver))) return;
  try {
    while (!signal?.aborted) {
      const message = await store.oldestOpen();
      if (message === null) break;
      await sendMessage(message, owner, options);
    }
  } catch (error) {
    // The other sender sends the rest.
    if (error instanceof ClaimLost) return;
    throw error;
  }
  await store.release(owner);
}
