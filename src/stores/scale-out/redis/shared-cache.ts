import { z } from 'zod';
import type { DroppedEntries, SharedCache } from '../../contracts/shared-cache.ts';
import { type RedisConnection, RedisUnavailable } from './connection.ts';
import { dropScript, keepScript } from './shared-cache-scripts.ts';

export interface RedisCacheOptions {
  readonly redis: RedisConnection;
  /** What tells these texts from others on the same server. */
  readonly space: string;
  /** Of all texts together. */
  readonly maxBytes: number;
  /** Told of what the server refuses, such as a text for which it has no room. */
  readonly onError: (error: unknown) => void;
}

/** After this what the server refused is tried again. */
const retryMs = 1000;

const news = z.object({
  /** Who dropped: it has acted on it already. */
  by: z.string(),
  drops: z.number(),
  dropped: z.union([
    z.object({ keys: z.array(z.string()) }),
    z.object({ suffixes: z.array(z.string()) }),
    z.literal('all'),
  ]),
});

/** Texts on a Redis server. */
export function createRedisCache({ redis, space, maxBytes, onError }: RedisCacheOptions): SharedCache {
  const textKey = redis.name(space, 'text', '');
  const channel = redis.name(space, 'dropped');
  const keys = {
    drops: redis.name(space, 'drops'),
    ends: redis.name(space, 'ends'),
    facts: redis.name(space, 'facts'),
    bytes: redis.name(space, 'bytes'),
  };
  const allKeys = Object.values(keys);
  const keep = redis.script(keepScript);
  const drop = redis.script(dropScript);
  const self = crypto.randomUUID();
  const listeners = new Set<(dropped: DroppedEntries) => void>();
  /** Null while drops may have been missed: the texts are then left alone. */
  let generation: number | null = null;
  /** Something was dropped that the server does not know of, or may have been. */
  let owesDrop = redis.isAway;
  let caughtUp: Promise<void> = Promise.resolve();

  const tell = (dropped: DroppedEntries) => {
    for (const listener of listeners) listener(dropped);
  };

  async function dropNow(dropped: DroppedEntries): Promise<number> {
    const answer = await drop(allKeys, [
      textKey,
      channel,
      JSON.stringify({ by: self, dropped }),
      dropped === 'all' ? 'all' : 'keys' in dropped ? 'keys' : 'suffixes',
      ...(dropped === 'all' ? [] : 'keys' in dropped ? dropped.keys : dropped.suffixes),
    ]);
    const [count, number] = z.tuple([z.number(), z.number()]).parse(answer);
    generation = number;
    return count;
  }

  function refused(error: unknown): void {
    // Away: the return catches up.
    if (error instanceof RedisUnavailable) return;
    onError(error);
    setTimeout(catchUp, retryMs).unref();
  }

  async function learnDrops(): Promise<void> {
    generation = null;
    tell('all');
    try {
      if (owesDrop) await dropNow('all');
      else generation = Number((await redis.call((client) => client.get(keys.drops))) ?? 0);
      owesDrop = false;
    } catch (error) {
      refused(error);
    }
  }

  /** Catches up with what happened while nothing was heard. */
  function catchUp(): void {
    caughtUp = learnDrops();
  }

  async function tried<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    if (redis.isAway || generation === null) return otherwise;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) onError(error);
      return otherwise;
    }
  }

  redis.subscribe(channel, (message) => {
    const said = news.parse(JSON.parse(message));
    if (generation !== null) generation = said.drops;
    if (said.by !== self) tell(said.dropped);
  });
  redis.onReturn(catchUp);
  if (!redis.isAway) catchUp();

  return {
    get generation() {
      return redis.isAway ? null : generation;
    },
    get: (key) =>
      tried(async () => {
        const stored = await redis.call((client) => client.getBuffer(textKey + key));
        const end = stored?.indexOf('\n') ?? -1;
        if (stored === null || end < 0) return null;
        return { label: stored.toString('utf8', 0, end), text: stored.subarray(end + 1) };
      }, null),
    keep: (key, { text, label }, lifeMs, since) =>
      tried(async () => {
        if (since === null) return;
        const stored = Buffer.concat([Buffer.from(`${label}\n`), text]);
        await keep(allKeys, [textKey, since, key, label, Math.max(1, Math.floor(lifeMs)), maxBytes, stored]);
      }, undefined),
    labels: () =>
      tried(async () => {
        const present = await redis.call((client) =>
          client.zrangebyscore(keys.ends, `(${Date.now()}`, '+inf'),
        );
        if (present.length === 0) return new Map<string, string>();
        const facts = await redis.call((client) => client.hmget(keys.facts, ...present));
        return new Map(present.map((key, at) => [key, (facts[at] ?? '').replace(/^\d+ /, '')]));
      }, new Map<string, string>()),
    async drop(dropped) {
      await caughtUp;
      try {
        if (generation === null) throw new RedisUnavailable(null);
        return await dropNow(dropped);
      } catch (error) {
        owesDrop = true;
        generation = null;
        refused(error);
        return 0;
      }
    },
    onDrop: (listener) => void listeners.add(listener),
  };
}
