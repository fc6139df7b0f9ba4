import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type ConversionOwner,
  type ConversionState,
  type ConversionStore,
  isFinal,
  isSameState,
} from '../../../contracts/conversion-store.ts';
import type { RedisConnection } from '../connection.ts';
import {
  createStateKeys,
  OwnedState,
  readStateMessage,
  type StateLink,
  type StateMessage,
} from './stored-state.ts';
import { createWakeup } from './wakeup.ts';

/**
 * Without messages the state is read this often; more often while Redis is unreachable and the state is this
 * instance's.
 */
const lookMs = 1000;
const lookAloneMs = 250;

const isEnd = (message: StateMessage | null): boolean => message !== null && isFinal(message.state);

/** See `ConversionStore.watch`. @param present reads the state as it is now */
async function* watchState(
  { redis, keys }: StateLink,
  key: string,
  signal: AbortSignal,
  present: () => Promise<StateMessage | null>,
): AsyncGenerator<ConversionState | null, void, void> {
  const wakeup = createWakeup(signal);
  const news: (StateMessage | null)[] = [];
  const stopHearing = redis.subscribe(keys.stateChannel(key), (text) => {
    news.push(readStateMessage(text));
    wakeup.signal();
  });
  try {
    const first = await present();
    // Ignores a conversion that ended before the watch began.
    const isOld = (message: StateMessage | null) =>
      isEnd(first) && isEnd(message) && message?.by === first?.by;
    let last = isOld(first) ? null : first;
    yield last?.state ?? null;
    while (!signal.aborted) {
      await wakeup.waitUpTo(redis.isAway ? lookAloneMs : lookMs);
      for (const message of news.length > 0 ? news.splice(0) : [await present()]) {
        if (signal.aborted) return;
        const next = isOld(message) ? null : message;
        if (!isSameState(next?.state ?? null, last?.state ?? null)) yield next?.state ?? null;
        last = next;
        if (isEnd(next)) return;
      }
    }
  } finally {
    stopHearing();
    wakeup.end();
  }
}

/** How long responses of other instances are awaited, in ms. */
const replyMs = 1000;

/** `visitor` is the waiter, as instances of all versions call it. */
const cancelRequest = z.object({ visitor: z.string(), answerTo: z.string() });

/** Forwards cancel requests of other instances to the owner, and its answers back. @returns a function that ends it */
function listenForCancels(
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
async function requestCancel({ redis, keys }: StateLink, key: string, waiter: string): Promise<boolean> {
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

/**
 * The instances' shared knowledge of their conversions, on a Redis server.
 * @param local this instance's own store, used alone while Redis is unreachable
 */
export function createRedisConversionStore(redis: RedisConnection, local: ConversionStore): ConversionStore {
  const keys = createStateKeys(redis);
  const link: StateLink = { redis, keys };

  /** The known state; this instance's own if Redis has none. */
  async function present(key: string): Promise<StateMessage | null> {
    try {
      return readStateMessage(await redis.call((client) => client.get(keys.state(key))));
    } catch (error) {
      redis.report(error);
      const state = await local.state(key);
      return state === null ? null : { by: 'this instance', state };
    }
  }

  return {
    async begin(key, owner) {
      const part = await local.begin(key, owner);
      const state = new OwnedState({ ...link, key, owner });
      const stopHearing = listenForCancels(link, key, owner);
      await state.publish();
      return {
        changed(urgent) {
          part.changed(urgent);
          if (urgent) void state.publish();
          else state.publishSoon();
        },
        end(last) {
          if (!state.end(last)) return;
          stopHearing();
          part.end(last);
        },
      };
    },

    state: async (key) => (await present(key))?.state ?? null,

    watch: (key, signal) => watchState(link, key, signal, () => present(key)),

    async cancel(key, waiter) {
      const isCancelled = await local.cancel(key, waiter);
      try {
        return (await requestCancel(link, key, waiter)) || isCancelled;
      } catch (error) {
        redis.report(error);
        return isCancelled;
      }
    },
  };
}
