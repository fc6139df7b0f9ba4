import { z } from 'zod';
import type { DroppedEntries, LabelledEntry, SharedCache } from '../../contracts/shared-cache.ts';
import { type RedisConnection, type RedisScript, RedisUnavailable } from './connection.ts';

/**
 * Lua for {@link RedisCache}. Each text is a separate key, which expires by itself. Beside the texts: their
 * expiry times (`ends`, a sorted set), sizes and labels (`facts`, a hash), the sum of the sizes, and the number of
 * drops.
 */
const common = `
local drops, ends, facts, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local textKey = ARGV[1]
local function forget(key)
  local fact = redis.call('HGET', facts, key)
  if fact then
    redis.call('DECRBY', bytes, string.match(fact, '^%d+'))
    redis.call('HDEL', facts, key)
  end
  redis.call('ZREM', ends, key)
  return redis.call('DEL', textKey .. key)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function forgetEnded(most)
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, most)) do forget(key) end
end
`;

/** ARGV: the texts' prefix, the number of drops, key, label, life in ms, most bytes, text. */
const keepScript = `${common}
local since, key, label, life, most, text = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
if (redis.call('GET', drops) or '0') ~= since then return 0 end
forgetEnded(100)
forget(key)
local size = #text + 2 * #key + 300
-- One huge text must not push out all others.
if size > most / 4 then return 0 end
while tonumber(redis.call('GET', bytes) or '0') + size > most do
  local soonest = redis.call('ZRANGE', ends, 0, 0)[1]
  if not soonest then break end
  forget(soonest)
end
redis.call('SET', textKey .. key, text, 'PX', life)
redis.call('ZADD', ends, now + life, key)
redis.call('HSET', facts, key, size .. ' ' .. label)
redis.call('INCRBY', bytes, size)
return 1
`;

/** ARGV: the texts' prefix, channel, news as JSON, "all", "keys" or "suffixes", and these. */
const dropScript = `${common}
local channel, news, which = ARGV[2], cjson.decode(ARGV[3]), ARGV[4]
local count = 0
forgetEnded(-1)
if which == 'keys' then
  for at = 5, #ARGV do count = count + forget(ARGV[at]) end
else
  for _, key in ipairs(redis.call('ZRANGE', ends, 0, -1)) do
    local matches = which == 'all'
    for at = 5, #ARGV do matches = matches or string.sub(key, -#ARGV[at]) == ARGV[at] end
    if matches then count = count + forget(key) end
  end
end
local number = redis.call('INCR', drops)
redis.call('PUBLISH', channel, string.sub(ARGV[3], 1, -2) .. ',"drops":' .. number .. '}')
return {count, number}
`;

/** After this what the server refused is tried again. */
const retryMs = 1000;

const news = z.object({
  /** The sender, which has already acted on it. */
  by: z.string(),
  drops: z.number(),
  dropped: z.union([
    z.object({ keys: z.array(z.string()) }),
    z.object({ suffixes: z.array(z.string()) }),
    z.literal('all'),
  ]),
});

/** Texts on a Redis server. */
export class RedisCache implements SharedCache {
  readonly #redis: RedisConnection;
  readonly #maxBytes: number;
  /** Prefix of each text's key. */
  readonly #textKey: string;
  readonly #channel: string;
  readonly #keys: Readonly<Record<'drops' | 'ends' | 'facts' | 'bytes', string>>;
  readonly #keep: RedisScript;
  readonly #drop: RedisScript;
  readonly #self = crypto.randomUUID();
  readonly #listeners = new Set<(dropped: DroppedEntries) => void>();
  /** Null while drops may have been missed: the texts are not used then. */
  #generation: number | null = null;
  /** Something was dropped that the server does not know of, or may have been. */
  #owesDrop: boolean;
  #caughtUp: Promise<void> = Promise.resolve();

  /**
   * @param space distinguishes these texts from others on the same server
   * @param maxBytes for all texts together
   */
  constructor(redis: RedisConnection, space: string, maxBytes: number) {
    this.#redis = redis;
    this.#maxBytes = maxBytes;
    this.#textKey = redis.name(space, 'text', '');
    this.#channel = redis.name(space, 'dropped');
    const key = (name: string) => redis.name(space, name);
    this.#keys = { drops: key('drops'), ends: key('ends'), facts: key('facts'), bytes: key('bytes') };
    this.#keep = redis.script(keepScript);
    this.#drop = redis.script(dropScript);
    this.#owesDrop = redis.isAway;
    redis.subscribe(this.#channel, (message) => this.#hear(message));
    redis.onReturn(() => this.#catchUp());
    if (!redis.isAway) this.#catchUp();
  }

  get generation(): number | null {
    return this.#redis.isAway ? null : this.#generation;
  }

  get(key: string): Promise<LabelledEntry | null> {
    return this.#tried(async () => {
      const stored = await this.#redis.call((client) => client.getBuffer(this.#textKey + key));
      const end = stored?.indexOf('\n') ?? -1;
      if (stored === null || end < 0) return null;
      return { label: stored.toString('utf8', 0, end), text: stored.subarray(end + 1) };
    }, null);
  }

  keep(key: string, { text, label }: LabelledEntry, lifeMs: number, since: number | null): Promise<void> {
    return this.#tried(async () => {
      if (since === null) return;
      const stored = Buffer.concat([Buffer.from(`${label}\n`), text]);
      const life = Math.max(1, Math.floor(lifeMs));
      await this.#keep(this.#allKeys, [this.#textKey, since, key, label, life, this.#maxBytes, stored]);
    }, undefined);
  }

  labels(): Promise<ReadonlyMap<string, string>> {
    return this.#tried(async () => {
      const present = await this.#redis.call((client) =>
        client.zrangebyscore(this.#keys.ends, `(${Date.now()}`, '+inf'),
      );
      if (present.length === 0) return new Map<string, string>();
      const facts = await this.#redis.call((client) => client.hmget(this.#keys.facts, ...present));
      return new Map(present.map((key, at) => [key, (facts[at] ?? '').replace(/^\d+ /, '')]));
    }, new Map<string, string>());
  }

  async drop(dropped: DroppedEntries): Promise<number> {
    await this.#caughtUp;
    try {
      if (this.#generation === null) throw new RedisUnavailable(null);
      return await this.#dropNow(dropped);
    } catch (error) {
      this.#owesDrop = true;
      this.#generation = null;
      this.#refused(error);
      return 0;
    }
  }

  onDrop(listener: (dropped: DroppedEntries) => void): void {
    this.#listeners.add(listener);
  }

  get #allKeys(): string[] {
    return Object.values(this.#keys);
  }

  #hear(message: string): void {
    const said = news.parse(JSON.parse(message));
    if (this.#generation !== null) this.#generation = said.drops;
    if (said.by !== this.#self) this.#notify(said.dropped);
  }

  #notify(dropped: DroppedEntries): void {
    for (const listener of this.#listeners) listener(dropped);
  }

  async #dropNow(dropped: DroppedEntries): Promise<number> {
    const answer = await this.#drop(this.#allKeys, [
      this.#textKey,
      this.#channel,
      JSON.stringify({ by: this.#self, dropped }),
      dropped === 'all' ? 'all' : 'keys' in dropped ? 'keys' : 'suffixes',
      ...(dropped === 'all' ? [] : 'keys' in dropped ? dropped.keys : dropped.suffixes),
    ]);
    const [count, number] = z.tuple([z.number(), z.number()]).parse(answer);
    this.#generation = number;
    return count;
  }

  #refused(error: unknown): void {
    // Away: the return catches up.
    if (error instanceof RedisUnavailable) return;
    this.#redis.report(error);
    setTimeout(() => this.#catchUp(), retryMs).unref();
  }

  /** Catches up after missed messages. */
  #catchUp(): void {
    this.#caughtUp = this.#readGeneration();
  }

  async #readGeneration(): Promise<void> {
    this.#generation = null;
    this.#notify('all');
    try {
      if (this.#owesDrop) await this.#dropNow('all');
      else this.#generation = Number((await this.#redis.call((client) => client.get(this.#keys.drops))) ?? 0);
      this.#owesDrop = false;
    } catch (error) {
      this.#refused(error);
    }
  }

  async #tried<T>(task: () => Promise<T>, otherwise: T): Promise<T> {
    if (this.generation === null) return otherwise;
    try {
      return await task();
    } catch (error) {
      this.#redis.report(error);
      return otherwise;
    }
  }
}
