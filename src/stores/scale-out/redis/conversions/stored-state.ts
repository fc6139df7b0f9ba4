import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type ConversionOwner,
  type ConversionState,
  rememberMs,
} from '../../../contracts/conversion-store.ts';
import type { RedisConnection } from '../connection.ts';

const storedState = z.object({
  state: z.enum(['waiting', 'reading', 'converting', 'done', 'failed', 'cancelled']),
  ahead: z.number().nullable(),
  fraction: z.number(),
  bytes: z.number().nullable(),
  error: z.string().nullable(),
  isSoundless: z.boolean().optional(),
  missingPictures: z.number().optional(),
}) satisfies z.ZodType<ConversionState>;

/** A state and the id of its owner: another conversion of the same key has another owner. */
export interface StateMessage {
  readonly by: string;
  readonly state: ConversionState;
}

/** The stored and published form: the id, a space, the state as JSON; an empty text for none. */
const writeStateMessage = (by: string, state: ConversionState | null): string =>
  state === null ? '' : `${by} ${JSON.stringify(state)}`;

/** The inverse of {@link writeStateMessage}; null also for an empty text. */
export function readStateMessage(text: string | null): StateMessage | null {
  if (text === null || text === '') return null;
  const at = text.indexOf(' ');
  return { by: text.slice(0, at), state: storedState.parse(JSON.parse(text.slice(at + 1))) };
}

/** The keys and channels of a conversion. */
export function createStateKeys(redis: Pick<RedisConnection, 'name'>) {
  const name = (what: string, key: string) => redis.name('conversion', what, key);
  return {
    state: (key: string) => name('state', key),
    /** The keys of the scripts: the state, the publishing owner, all owners. */
    all: (key: string) => ['state', 'teller', 'parts'].map((what) => name(what, key)),
    /** Channel of the states. */
    stateChannel: (key: string) => name('told', key),
    /** Channel of cancel requests. */
    cancelChannel: (key: string) => name('wishes', key),
    /** Channel of the answers to one cancel request. */
    cancelAnswers: (id: string) => name('answers', id),
  };
}

/** The dependencies of the store's parts. */
export interface StateLink {
  readonly redis: RedisConnection;
  readonly keys: ReturnType<typeof createStateKeys>;
}

/** An owner without a message for this long, in ms, is dead. */
const leaseMs = 3000;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: state, teller, parts. ARGV: owner, state, channel. The first owner publishes the state. */
const publishStateScript = `${now}
redis.call('ZADD', KEYS[3], now + ${leaseMs}, ARGV[1])
redis.call('PEXPIRE', KEYS[3], ${leaseMs})
local teller = redis.call('GET', KEYS[2])
if teller and teller ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ${leaseMs})
redis.call('SET', KEYS[1], ARGV[2], 'PX', ${leaseMs})
redis.call('PUBLISH', ARGV[3], ARGV[2])
return 1
`;

/**
 * KEYS as above. ARGV: owner, last state or nothing, channel, 1 when the file exists, how long it is remembered in ms.
 * The next owner takes over and publishes within a second.
 */
const endScript = `${now}
redis.call('ZREM', KEYS[3], ARGV[1])
local teller = redis.call('GET', KEYS[2])
if teller and teller ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if ARGV[4] == '0' and redis.call('ZCOUNT', KEYS[3], now, '+inf') > 0 then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[5]) end
redis.call('PUBLISH', ARGV[3], ARGV[2])
return 1
`;

/** An owner publishes its state this often, even unchanged, so that a dead owner is detected. */
const heartbeatMs = 1000;
/** Shortest interval between reports of progress. */
const progressMs = 200;

interface OwnedStateOptions extends StateLink {
  readonly key: string;
  readonly owner: Pick<ConversionOwner, 'state'>;
}

/** Tells all instances how a conversion is doing, until it ends. */
export class OwnedState {
  readonly #options: OwnedStateOptions;
  readonly #self = randomUUID();
  readonly #publishScript: ReturnType<RedisConnection['script']>;
  readonly #endScript: ReturnType<RedisConnection['script']>;
  readonly #heartbeat: NodeJS.Timeout;
  /** Progress that is not published yet. */
  #soon: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: OwnedStateOptions) {
    this.#options = options;
    this.#publishScript = options.redis.script(publishStateScript);
    this.#endScript = options.redis.script(endScript);
    this.#heartbeat = setInterval(() => this.publish(), heartbeatMs).unref();
  }

  async publish(): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    if (this.#ended) return;
    const { redis, keys, key, owner } = this.#options;
    const text = writeStateMessage(this.#self, owner.state());
    await this.#publishScript(keys.all(key), [this.#self, text, keys.stateChannel(key)]).catch(redis.report);
  }

  publishSoon(): void {
    this.#soon ??= setTimeout(() => this.publish(), progressMs).unref();
  }

  /** @returns false the second time */
  end(last: ConversionState | null): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#soon);
    const { redis, keys, key } = this.#options;
    const text = writeStateMessage(this.#self, last);
    const isDone = last?.state === 'done' ? 1 : 0;
    this.#endScript(keys.all(key), [this.#self, text, keys.stateChannel(key), isDone, rememberMs]).catch(
      redis.report,
    );
    return true;
  }
}
