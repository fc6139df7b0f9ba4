import { setInterval } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import type { PushMessage, PushOutcome, PushStore, Subscriber } from './contracts.ts';
import { isServiceEndpoint, type ServiceHost } from './push-services.ts';

/** What a push service answered: its status, or null when it did not. */
export interface PushAnswer {
  readonly status: number | null;
  /** Milliseconds that it asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null;
}

/** Hands one message to a push service. @throws Error when no request can be made of the two */
export type Deliver = (subscriber: Subscriber, message: PushMessage) => Promise<PushAnswer>;

export interface SendPushOptions {
  readonly store: PushStore;
  readonly deliver: Deliver;
  readonly services: readonly ServiceHost[];
  /** Names this sender among others. */
  readonly owner: string;
  /** Subscribers between two notes of how far it is: so many at most hear of a message twice after a crash. */
  readonly batchSize?: number;
  /** Requests at once. */
  readonly parallel?: number;
  /** Waits before further tries; the timers' own when left out. */
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
  /** No further batch begins once it is aborted. */
  readonly signal?: AbortSignal;
  readonly onBatch?: (message: PushMessage, outcome: PushOutcome) => void;
  /** Told of the first subscriber of a batch for whom no request could be made. */
  readonly onBroken?: (subscriber: Subscriber, error: unknown) => void;
}

const usualBatchSize = 250;
const usualParallel = 64;
/** How long a message belongs to a sender of which nothing is heard. */
const claimMs = 15_000;
/** A batch that was begun so often and never noted is given up: whatever ends its sender, others have their turn. */
const mostTries = 3;
/** Before the second and the third try of a subscriber. */
const delaysMs = [5000, 30_000];
/** A push service that asks for more patience has it for so long. */
const longestDelayMs = 120_000;

const isDone = (status: number) => status >= 200 && status < 300;
/** RFC 8030, section 7.3: the subscription has expired or was ended. */
const isGone = (status: number) => status === 404 || status === 410;
/** Another try may go better: no answer, too many requests, or the service's own trouble. */
const mayRetry = (status: number | null) => status === null || status === 429 || status >= 500;

interface Attempt {
  readonly fate: keyof PushOutcome;
  /** Milliseconds after which another try may go better; null when none will. */
  readonly retryMs: number | null;
}

const refused: Attempt = { fate: 'failed', retryMs: null };

function attemptOf({ status, retryAfterMs }: PushAnswer): Attempt {
  if (status !== null && isDone(status)) return { fate: 'sent', retryMs: null };
  if (status !== null && isGone(status)) return { fate: 'gone', retryMs: null };
  return mayRetry(status) ? { fate: 'failed', retryMs: retryAfterMs ?? 0 } : refused;
}

interface BatchResult {
  readonly outcome: PushOutcome;
  /** Who is worth another try, and how long the push services ask to wait. */
  readonly retry: readonly number[];
  readonly retryMs: number;
}

/** Sends to some subscribers. Whatever one of them makes throw is that one's failure. */
async function sendBatch(
  subscribers: readonly Subscriber[],
  message: PushMessage,
  { deliver, services, parallel = usualParallel, onBroken }: SendPushOptions,
): Promise<BatchResult> {
  const outcome = { sent: [] as number[], gone: [] as number[], failed: [] as number[] };
  const retry: number[] = [];
  let longestMs = 0;
  let isTold = false;

  async function attempt(subscriber: Subscriber): Promise<Attempt> {
    // The list may have become another one since it was registered.
    if (!isServiceEndpoint(subscriber.endpoint, services)) return refused;
    try {
      return attemptOf(await deliver(subscriber, message));
    } catch (error) {
      if (!isTold) onBroken?.(subscriber, error);
      isTold = true;
      return refused;
    }
  }

  const queue = subscribers.values();
  async function work(): Promise<void> {
    for (const subscriber of queue) {
      const { fate, retryMs } = await attempt(subscriber);
      outcome[fate].push(subscriber.id);
      if (retryMs === null) continue;
      retry.push(subscriber.id);
      longestMs = Math.max(longestMs, retryMs);
    }
  }
  await Promise.all(Array.from({ length: parallel }, work));
  return { outcome, retry, retryMs: longestMs };
}

/** Sends a claimed message to all its subscribers, then once more and once again to those who may be reached later. */
async function sendClaimed(message: PushMessage, options: SendPushOptions): Promise<void> {
  const { store, owner, signal, batchSize = usualBatchSize, wait = pauseFor, onBatch } = options;
  let retry: number[] = [];
  let retryMs = 0;
  const isStopped = () => signal?.aborted === true;

  async function send(subscribers: readonly Subscriber[], reached: number | null): Promise<void> {
    const result = await sendBatch(subscribers, message, options);
    retry.push(...result.retry);
    retryMs = Math.max(retryMs, result.retryMs);
    await store.note(message, owner, result.outcome, reached);
    onBatch?.(message, result.outcome);
  }

  for (;;) {
    if (isStopped()) return;
    const batch = await store.nextBatch(message, owner, batchSize);
    if (batch === null) break;
    const { subscribers, reached, tries } = batch;
    if (tries <= mostTries) await send(subscribers, reached);
    else
      await store.note(
        message,
        owner,
        { sent: [], gone: [], failed: subscribers.map(({ id }) => id) },
        reached,
      );
  }
  for (const delayMs of delaysMs) {
    if (retry.length === 0) break;
    await wait(Math.max(delayMs, Math.min(retryMs, longestDelayMs)), signal);
    const ids = retry;
    [retry, retryMs] = [[], 0];
    for (let at = 0; at < ids.length; at += batchSize) {
      if (isStopped()) return;
      await send(await store.find(ids.slice(at, at + batchSize)), null);
    }
  }
  await store.close(message.id, owner);
}

/** Ends early, and without an error, when it is told to stop. */
async function pauseFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  await pause(delayMs, undefined, { ...(signal && { signal }) }).catch((error: unknown) => {
    if (signal?.aborted !== true) throw error;
  });
}

/** Sends all open messages, the oldest first, until there is none, another sender has them, or the signal says so. */
export async function sendOpenPush(options: SendPushOptions): Promise<void> {
  const { store, owner, signal } = options;
  while (signal?.aborted !== true) {
    const message = await store.claim(owner, claimMs);
    if (message === null) return;
    // A claim that cannot be renewed is lost, which the next batch or its note finds out.
    const renewal = setInterval(() => store.renew(message.id, owner, claimMs).catch(() => {}), claimMs / 3);
    try {
      await sendClaimed(message, options);
    } finally {
      clearInterval(renewal);
      await store.release(message.id, owner);
    }
  }
}
