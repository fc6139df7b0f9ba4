import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type ConversionOwner,
  type ConversionState,
  type ConversionStore,
  isFinal,
} from '../../../contracts/conversion-store.ts';
import { type RedisConnection, RedisUnavailable } from '../connection.ts';
import { createNudge } from './nudge.ts';
import { endScript, publishStateScript } from './store-scripts.ts';

/** An owner tells its state this often, changed or not, so that one that died is known by its silence. */
const turnMs = 1000;
/** Progress is told this often at most. */
const progressMs = 200;
/** How long somebody who polls can still learn how a conversion ended that left no file. */
const rememberMs = 60_000;
/** While nothing is published, the state is read this often; more often while Redis is away and it is this instance's. */
const lookMs = 1000;
const lookAloneMs = 250;
/** For the answers of other instances to a wish. */
const answerMs = 1000;

const storedState = z.object({
  state: z.enum(['waiting', 'reading', 'converting', 'done', 'failed', 'cancelled']),
  ahead: z.number().nullable(),
  fraction: z.number(),
  bytes: z.number().nullable(),
  error: z.string().nullable(),
}) satisfies z.ZodType<ConversionState>;

/** `visitor` is the waiter, as instances of all versions call it. */
const wish = z.object({ visitor: z.string(), answerTo: z.string() });

/** A state, and whose: another conversion of the same key is told by another. */
interface StateMessage {
  readonly by: string;
  readonly state: ConversionState;
}

const isSame = (one: ConversionState | null, other: ConversionState | null) =>
  JSON.stringify(one) === JSON.stringify(other);

/** As it is kept and published: who tells it, a space, the state; an empty text for none. */
function readStateMessage(text: string | null): StateMessage | null {
  if (text === null || text === '') return null;
  const at = text.indexOf(' ');
  return { by: text.slice(0, at), state: storedState.parse(JSON.parse(text.slice(at + 1))) };
}

export interface RedisConversionStoreOptions {
  readonly redis: RedisConnection;
  /** This instance's own, which is all there is while Redis is away. */
  readonly local: ConversionStore;
  /** Told of what the server refuses. */
  readonly onError: (error: unknown) => void;
}

/** What all instances know of the conversions of each other, by a Redis server. */
export function createRedisConversionStore({
  redis,
  local,
  onError,
}: RedisConversionStoreOptions): ConversionStore {
  const publishState = redis.script(publishStateScript);
  const endPart = redis.script(endScript);
  const keysOf = (key: string) =>
    ['state', 'teller', 'parts'].map((what) => redis.name('conversion', what, key));
  const channelOf = (key: string) => redis.name('conversion', 'told', key);
  const wishesOf = (key: string) => redis.name('conversion', 'wishes', key);

  function noted(error: unknown): void {
    if (!(error instanceof RedisUnavailable)) onError(error);
  }

  async function read(key: string): Promise<StateMessage | null> {
    const [stateKey = ''] = keysOf(key);
    return readStateMessage(await redis.call((client) => client.get(stateKey)));
  }

  /** What is known of it; by this instance alone where Redis says nothing. */
  async function present(key: string): Promise<StateMessage | null> {
    try {
      return await read(key);
    } catch (error) {
      noted(error);
      const state = await local.state(key);
      return state === null ? null : { by: 'this instance', state };
    }
  }

  /** Passes wishes on to the owner, and its answers back. @returns ends it */
  const hearWishes = (key: string, owner: ConversionOwner) =>
    redis.subscribe(wishesOf(key), (message) => {
      const { visitor: waiter, answerTo } = wish.parse(JSON.parse(message));
      const answer = owner.cancel(waiter) ? 'yes' : 'no';
      redis.call((client) => client.publish(answerTo, answer)).catch(noted);
    });

  async function askOthers(key: string, waiter: string): Promise<boolean> {
    const answerTo = redis.name('conversion', 'answers', randomUUID());
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
    const timer = setTimeout(() => resolve(false), answerMs);
    try {
      const text = JSON.stringify({ visitor: waiter, answerTo });
      asked = await redis.call((client) => client.publish(wishesOf(key), text));
      settle();
      return await promise;
    } finally {
      clearTimeout(timer);
      stopHearing();
    }
  }

  return {
    async begin(key, owner) {
      const part = await local.begin(key, owner);
      const self = randomUUID();
      let ended = false;
      let timer: NodeJS.Timeout | undefined;

      async function tell(): Promise<void> {
        clearTimeout(timer);
        timer = undefined;
        if (ended) return;
        const text = `${self} ${JSON.stringify(owner.state())}`;
        await publishState(keysOf(key), [self, text, channelOf(key)]).catch(noted);
      }

      const stopHearing = hearWishes(key, owner);
      const telling = setInterval(tell, turnMs).unref();
      await tell();
      return {
        changed(urgent) {
          part.changed(urgent);
          if (urgent) void tell();
          else timer ??= setTimeout(tell, progressMs).unref();
        },
        end(last) {
          if (ended) return;
          ended = true;
          clearInterval(telling);
          clearTimeout(timer);
          stopHearing();
          part.end(last);
          const text = last === null ? '' : `${self} ${JSON.stringify(last)}`;
          const isDone = last?.state === 'done' ? 1 : 0;
          endPart(keysOf(key), [self, text, channelOf(key), isDone, rememberMs]).catch(noted);
        },
      };
    },

    state: async (key) => (await present(key))?.state ?? null,

    async *watch(key, signal) {
      const nudge = createNudge(signal);
      const news: (StateMessage | null)[] = [];
      const stopHearing = redis.subscribe(channelOf(key), (text) => {
        news.push(readStateMessage(text));
        nudge.now();
      });
      try {
        let last = await present(key);
        // How one ended before the watch began is not its news.
        const before = last !== null && isFinal(last.state) ? last : null;
        const told = (one: StateMessage | null) =>
          one?.by === before?.by && one !== null && isFinal(one.state) ? null : one;
        last = told(last);
        yield last?.state ?? null;
        while (!signal.aborted) {
          await nudge.within(redis.isAway ? lookAloneMs : lookMs);
          for (const one of news.length > 0 ? news.splice(0) : [await present(key)]) {
            const next = told(one);
            if (signal.aborted) return;
            if (!isSame(next?.state ?? null, last?.state ?? null)) yield next?.state ?? null;
            last = next;
            if (next !== null && isFinal(next.state)) return;
          }
        }
      } finally {
        stopHearing();
        nudge.end();
      }
    },

    async cancel(key, waiter) {
      const isCancelled = await local.cancel(key, waiter);
      try {
        return (await askOthers(key, waiter)) || isCancelled;
      } catch (error) {
        noted(error);
        return isCancelled;
      }
    },
  };
}
