import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type {
  DistributedSingleFlight,
  FlightResult,
  SharedResult,
} from '../../contracts/distributed-single-flight.ts';
import type { RedisConnection, RedisScript } from './connection.ts';

/** The runner holds a lease; without a renewal for this long another process takes over. */
const leaseMs = 3000;
/** Interval for renewing the lease, and for asking for it. */
const renewalMs = 1000;

const joinScript = `
local kept = redis.call('GET', KEYS[1])
if kept then return {'kept', kept} end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return {'work'} end
return {'wait'}
`;

const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`;

/** ARGV: token, life of the result, channel, "done" or "left", result. */
const endScript = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if ARGV[4] == 'done' and tonumber(ARGV[2]) > 0 then redis.call('SET', KEYS[1], ARGV[5], 'PX', ARGV[2]) end
redis.call('PUBLISH', ARGV[3], ARGV[4] .. ARGV[5])
return 1
`;

const joinReply = z.union([
  z.tuple([z.literal('kept'), z.string()]),
  z.tuple([z.literal('work')]),
  z.tuple([z.literal('wait')]),
]);

/** Work that is shared by a Redis server. */
export class RedisSingleFlight implements DistributedSingleFlight {
  readonly #redis: RedisConnection;
  readonly #space: string;
  readonly #ask: RedisScript;
  readonly #renew: RedisScript;
  readonly #end: RedisScript;

  /** @param space distinguishes these flights from others on the same server */
  constructor(redis: RedisConnection, space: string) {
    this.#redis = redis;
    this.#space = space;
    this.#ask = redis.script(joinScript);
    this.#renew = redis.script(renewScript);
    this.#end = redis.script(endScript);
  }

  async run(
    key: string,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<FlightResult>,
  ): Promise<SharedResult> {
    signal.throwIfAborted();
    const token = randomUUID();
    let text: string | null;
    try {
      text = await this.#resultOfOthers(key, token, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#redis.report(error);
      return { text: (await task(signal)).text, isShared: false };
    }
    return text === null ? this.#lead(key, token, signal, task) : { text, isShared: true };
  }

  async put(key: string, { text, keepMs }: FlightResult): Promise<void> {
    const lifeMs = Math.max(1, Math.floor(keepMs));
    try {
      await this.#redis.call((client) => client.set(this.#resultKey(key), text, 'PX', lifeMs));
    } catch (error) {
      this.#redis.report(error);
    }
  }

  #resultKey(key: string): string {
    return this.#redis.name(this.#space, 'result', key);
  }

  #leaseKey(key: string): string {
    return this.#redis.name(this.#space, 'lease', key);
  }

  #channelOf(key: string): string {
    return this.#redis.name(this.#space, 'ended', key);
  }

  /** Runs the task for all processes. */
  async #lead(
    key: string,
    token: string,
    signal: AbortSignal,
    task: (signal: AbortSignal) => Promise<FlightResult>,
  ): Promise<SharedResult> {
    const renew = () => this.#renew([this.#leaseKey(key)], [token, leaseMs]);
    const renewing = setInterval(() => renew().catch((error) => this.#redis.report(error)), renewalMs);
    const over = (how: 'done' | 'left', { text, keepMs }: FlightResult) =>
      this.#end(
        [this.#resultKey(key), this.#leaseKey(key)],
        [token, Math.max(0, Math.floor(keepMs)), this.#channelOf(key), how, text],
      ).catch((error) => this.#redis.report(error));
    try {
      const result = await task(signal);
      // Awaited: the caller may ask another instance next.
      await over('done', result);
      return { text: result.text, isShared: false };
    } catch (thrown) {
      void over('left', { text: '', keepMs: 0 });
      throw thrown;
    } finally {
      clearInterval(renewing);
    }
  }

  async #askFor(key: string, token: string) {
    return joinReply.parse(await this.#ask([this.#resultKey(key), this.#leaseKey(key)], [token, leaseMs]));
  }

  /** The cached or pending result; null when this process must run the task. */
  async #resultOfOthers(key: string, token: string, signal: AbortSignal): Promise<string | null> {
    let answer = await this.#askFor(key, token);
    while (answer[0] === 'wait') {
      signal.throwIfAborted();
      const { ended, stop } = this.#follow(key, signal);
      try {
        // Asks again after subscribing, so that no end is missed between the two.
        answer = await this.#askFor(key, token);
        const text = answer[0] === 'wait' ? await ended : null;
        if (text !== null) return text;
      } finally {
        stop();
      }
    }
    return answer[0] === 'kept' ? answer[1] : null;
  }

  /** Waits for the runner. @returns the result, or null when the caller must ask again */
  #follow(key: string, signal: AbortSignal): { ended: Promise<string | null>; stop: () => void } {
    const { promise: ended, resolve, reject } = Promise.withResolvers<string | null>();
    ended.catch(() => {});
    const again = () => resolve(null);
    const abort = () => reject(signal.reason);
    const unsubscribe = this.#redis.subscribe(this.#channelOf(key), (message) =>
      resolve(message.startsWith('done') ? message.slice('done'.length) : null),
    );
    const timer = setTimeout(again, renewalMs);
    signal.addEventListener('abort', abort, { once: true });
    return {
      ended,
      stop() {
        unsubscribe();
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      },
    };
  }
}
