import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ConversionOwner } from '../../../contracts/conversion-store.ts';
import type { StateLink } from './stored-state.ts';

/** How long responses of other instances are awaited, in ms. */
const replyMs = 1000;

/** `visitor` is the waiter, as instances of all versions call it. */
const cancelRequest = z.object({ visitor: z.string(), answerTo: z.string() });

/** Forwards cancel requests of other instances to the owner, and its answers back. @returns a function that ends it */
export function listenForCancels(
  { redis, keys }: StateLink,
  key: string,
  owner: Pick<ConversionOwner, 'cancel'>,
): () => void {
  return redis.subscribe(keys.cancelChannel(key), (message) => {
    const { visitor: waiter, answerTo } = cancelRequest.parse(JSON.parse(message));
    const answer = owner.cancel(waiter) ? 'yes' : 'no';
    redis.call((client) => client.publish(answerTo, answer)).catch(redis.report);
  });
}

/** Asks all owners to cancel for a waiter. @returns whether one did @throws RedisUnavailable */
export async function requestCancel(
  { redis, keys }: StateLink,
  key: string,
  waiter: string,
): Promise<boolean> {
  const answerTo = keys.cancelAnswers(randomUUID());
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let answers = 0;
  let asked = Number.POSITIVE_INFINITY;
  const settle = () => {
    if (answers >= asked) resolve(false);
  };
  const stopHearing = redis.subscribe(answerTo, (answer) => {
    answers += 1;
    if (answer === 'yes') resolve(true);
    settle();
  });
  const timer = setTimeout(() => resolve(false), replyMs);
  try {
    const text = JSON.stringify({ visitor: waiter, answerTo });
    asked = await redis.call((client) => client.publish(keys.cancelChannel(key), text));
    settle();
    return await promise;
  } finally {
    clearTimeout(timer);
    stopHearing();
  }
}
