import { setInterval } from 'node:timers';
import type { Batch, BatchOutcome, PushMessage, PushStore, Subscriber } from './contracts.ts';
import { isServiceEndpoint, type ServiceHost } from './endpoints.ts';
import { wakingTime } from './quiet-hours.ts';

/** What a push service answered: its status, or null when it did not. */
export interface PushAnswer {
  readonly status: number | null;
  /** Milliseconds that it asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** Hands one message to a push service. Never throws for what the service or the network does. */
export type Deliver = (subscriber: Subscriber, message: PushMessage) => Promise<PushAnswer>;

export interface SendPushOptions {
  readonly store: PushStore;
  readonly deliver: Deliver;
  readonly services: readonly ServiceHost[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Names this sender among others. */
  readonly owner: string;
  /** Subscribers between two notes of how far it is: so many at most hear of a message twice after a crash. */
  readonly batchSize?: number;
  /** Requests at once. */
  readonly parallel?: number;
  /** No further batch begins once it is aborted. */
  readonly signal?: AbortSignal;
  readonly onBatch?: (message: PushMessage, outcome: BatchOutcome) => void;
}

const usualBatchSize = 500;
const usualParallel = 64;
/** How long a message belongs to a sender of which nothing is heard. */
const leaseMs = 15_000;

const firstDelayMs = 30_000;
const longestDelayMs = 3_600_000;
const mostAttempts = 8;

/** How long to wait after a number of attempts: twice as long each time; null when it is not worth another one. */
export function delayAfter(attempts: number, retryAfterMs: number | null): number | null {
  if (attempts >= mostAttempts) return null;
  const usual = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempts - 1));
  return Math.min(longestDelayMs, Math.max(usual, retryAfterMs ?? 0));
}

const isDone = (status: number) => status >= 200 && status < 300;
/** RFC 8030, section 7.3: the subscription has expired or was ended. */
const isGone = (status: number) => status === 404 || status === 410;
/** Another try may go better: no answer, too many requests, or the service's own trouble. */
const mayRetry = (status: number | null) => status === null || status === 429 || status >= 500;

type Fate = 'sent' | 'gone' | 'givenUp' | { readonly attempts: number; readonly nextAt: number };

async function sendOne(
  subscriber: Subscriber,
  message: PushMessage,
  options: SendPushOptions,
): Promise<Fate> {
  const { deliver, services, now } = options;
  // The list may have become another one since it was registered.
  if (!isServiceEndpoint(subscriber.endpoint, services)) return 'givenUp';
  const awake = message.isQuiet ? wakingTime(now(), subscriber.diffTimeS) : now();
  if (awake > now()) return { attempts: subscriber.attempts, nextAt: awake };
  const { status, retryAfterMs } = await deliver(subscriber, message);
  if (status !== null && isDone(status)) return 'sent';
  if (status !== null && isGone(status)) return 'gone';
  const attempts = subscriber.attempts + 1;
  const delayMs = mayRetry(status) ? delayAfter(attempts, retryAfterMs) : null;
  return delayMs === null ? 'givenUp' : { attempts, nextAt: now() + delayMs };
}

async function sendBatch(
  batch: Batch,
  message: PushMessage,
  options: SendPushOptions,
): Promise<BatchOutcome> {
  const outcome = {
    sent: [] as number[],
    gone: [] as number[],
    givenUp: [] as number[],
    later: [] as BatchOutcome['later'][number][],
  };
  const queue = batch.subscribers.values();
  async function work(): Promise<void> {
    for (const subscriber of queue) {
      const fate = await sendOne(subscriber, message, options);
      if (typeof fate === 'string') outcome[fate].push(subscriber.id);
      else outcome.later.push({ id: subscriber.id, ...fate });
    }
  }
  await Promise.all(Array.from({ length: options.parallel ?? usualParallel }, work));
  return outcome;
}

async function sendMessage(message: PushMessage, options: SendPushOptions): Promise<void> {
  const { store, owner, signal, batchSize = usualBatchSize, onBatch } = options;
  let isOurs = true;
  const renewal = setInterval(() => {
    store.renew(message.id, owner, leaseMs).then(
      (renewed) => {
        isOurs = renewed;
      },
      // The batch's own note will fail, too, and says so.
      () => {},
    );
  }, leaseMs / 3);
  try {
    while (isOurs && signal?.aborted !== true) {
      const batch = await store.nextBatch(message, batchSize);
      if (batch === null) return;
      const outcome = await sendBatch(batch, message, options);
      await store.settle(message, batch, outcome);
      onBatch?.(message, outcome);
    }
  } finally {
    clearInterval(renewal);
    await store.release(message.id, owner);
  }
}

/** Sends everything whose time has come, message by message, until there is nothing more or the signal says so. */
export async function sendDuePush(options: SendPushOptions): Promise<void> {
  const { store, owner, signal } = options;
  while (signal?.aborted !== true) {
    const message = await store.take(owner, leaseMs);
    if (message === null) return;
    await sendMessage(message, options);
  }
}
