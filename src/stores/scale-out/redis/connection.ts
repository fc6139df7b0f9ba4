import { createHash } from 'node:crypto';
import { Redis, ReplyError } from 'ioredis';
import { watchReplies } from './watch-replies.ts';

/** A new connection takes milliseconds if the server is reachable. */
const connectMs = 1000;
/** Delay between attempts to reconnect. */
const retryMs = 500;
/** An idle connection is checked this often, so that a silent one is noticed before a caller waits for it. */
const pingMs = 2000;

/** Redis did not respond in time, or not at all. */
export class RedisUnavailable extends Error {
  constructor(cause: unknown) {
    super(`Redis does not answer: ${cause instanceof Error ? cause.message : 'no connection'}`);
    this.name = 'RedisUnavailable';
  }
}

/** Explanations of the server's refusals, for the operator who set the address. */
const refusalWords: readonly (readonly [RegExp, string])[] = [
  [/^NOAUTH/i, 'it wants a password, and the address has none'],
  [/^(?:WRONGPASS|ERR (?:AUTH|invalid password))/i, 'it refuses the user or the password of the address'],
];

/** The server responds, but rejects the credentials. */
export class RedisRefused extends Error {
  constructor(cause: Error) {
    super(refusalWords.find(([words]) => words.test(cause.message))?.[1] ?? cause.message);
    this.name = 'RedisRefused';
  }
}

/** A Lua script, called atomically. */
export type RedisScript = (
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
) => Promise<unknown>;

/** An instance's connection to a Redis or Valkey server. */
export interface RedisConnection {
  /** True from the first call without an answer until the server answers again; calls then fail at once. */
  readonly isAway: boolean;
  /** The full name of a key, a channel or a queue of this site. */
  name(...parts: readonly string[]): string;
  /**
   * Calls the server, for at most a second.
   * @throws RedisUnavailable without a response; the server's errors unchanged
   */
  call<T>(task: (client: Redis) => Promise<T>): Promise<T>;
  /** Prepares a script. */
  script(lua: string): RedisScript;
  /**
   * Subscribes to a channel, given by its full name, from the server's next response on.
   * @returns a function that ends it
   */
  subscribe(channel: string, listener: (message: string) => void): () => void;
  /** Called whenever the server is back, subscriptions included: messages published meanwhile were missed. */
  onReturn(listener: () => void): void;
  /** Logs what the server refused; that it is away is known already. */
  report(error: unknown): void;
  close(): Promise<void>;
}

interface RedisOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  readonly url: string;
  /** Prefix of all names: sites with different prefixes do not see each other. */
  readonly prefix: string;
  /** Called once when the server became unreachable, with the reason in words, and once when it is back. */
  readonly onAway: (reason: string) => void;
  readonly onReturn: () => void;
  /** Called with the server's errors, for example when it has no room. */
  readonly onError: (error: unknown) => void;
}

const refusals = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:AUTH|invalid password|DB index|SELECT))/i;

function asUnavailable(error: unknown): unknown {
  return error instanceof ReplyError ? error : new RedisUnavailable(error);
}

/** A client that reconnects until it is closed, without letting any call wait for that. */
function createClient(url: string): Redis {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    retryStrategy: () => retryMs,
    connectionName: 'clipferry',
    keepAlive: 5000,
  });
  watchReplies(client);
  return client;
}

/** Subscriptions by channel: kept across connections, each of which must subscribe again. */
class Channels {
  readonly #client: Redis;
  readonly #listeners = new Map<string, Set<(message: string) => void>>();

  constructor(client: Redis) {
    this.#client = client;
    client.on('message', (channel: string, message: string) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(message);
    });
  }

  /** Like {@link RedisConnection.subscribe}. */
  listen(channel: string, listener: (message: string) => void): () => void {
    const client = this.#client;
    const group = this.#listeners.get(channel) ?? new Set();
    if (!this.#listeners.has(channel)) {
      this.#listeners.set(channel, group);
      // A failure means that the connection is gone; the next one subscribes again.
      if (client.status === 'ready') client.subscribe(channel).catch(() => client.disconnect(true));
    }
    group.add(listener);
    return () => {
      group.delete(listener);
      if (group.size > 0 || this.#listeners.get(channel) !== group) return;
      this.#listeners.delete(channel);
      if (client.status === 'ready') client.unsubscribe(channel).catch(() => {});
    };
  }

  /** Subscribes everything with a new connection. */
  async subscribeAll(): Promise<void> {
    const channels = [...this.#listeners.keys()];
    if (channels.length > 0) await this.#client.subscribe(...channels);
  }

  clear(): void {
    this.#listeners.clear();
  }
}

/** Whether the server answers, by what happens to the connection. */
class Presence {
  readonly #client: Redis;
  readonly #channels: Channels;
  readonly #told: Pick<RedisOptions, 'onAway' | 'onReturn'>;
  readonly #returned = new Set<() => void>();
  /** Null until the first answer or the first failure. */
  #isAway: boolean | null = null;
  lastError: unknown = null;

  constructor(client: Redis, channels: Channels, told: Pick<RedisOptions, 'onAway' | 'onReturn'>) {
    this.#client = client;
    this.#channels = channels;
    this.#told = told;
    client.on('error', (error) => {
      this.lastError = error;
    });
    client.on('close', () => this.away(this.lastError));
    client.on('ready', () => void this.#back());
  }

  /** False from the first answer on; true also before that. */
  get isAway(): boolean {
    return this.#isAway !== false;
  }

  onReturn(listener: () => void): void {
    this.#returned.add(listener);
  }

  away(error: unknown): void {
    if (this.#isAway === true) return;
    this.#isAway = true;
    // Only the message: this client's errors contain the sent commands, including passwords.
    this.#told.onAway(error instanceof Error ? error.message : 'the connection was closed');
  }

  async #back(): Promise<void> {
    try {
      await this.#channels.subscribeAll();
    } catch (error) {
      this.lastError = error;
      // Its connection is gone again, or will be: without news this instance would show what others have dropped.
      this.#client.disconnect(true);
      return;
    }
    const wasAway = this.#isAway === true;
    this.#isAway = false;
    if (wasAway) this.#told.onReturn();
    for (const listener of this.#returned) listener();
  }
}

/**
 * Connects, and retries for as long as the process lives.
 * @returns after the first response, or after a second without one
 * @throws RedisRefused when the server rejects the credentials
 */
export async function openRedis({ url, prefix, onError, ...told }: RedisOptions): Promise<RedisConnection> {
  const client = createClient(url);
  const channels = new Channels(client);
  const presence = new Presence(client, channels, told);
  await connectFirst(client, presence);

  const pinging = setInterval(() => {
    // Its failure closes the connection, which is heard of there.
    if (!presence.isAway) client.ping().catch(() => {});
  }, pingMs).unref();

  async function call<T>(task: (client: Redis) => Promise<T>): Promise<T> {
    if (presence.isAway) throw new RedisUnavailable(presence.lastError);
    try {
      return await task(client);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  return {
    get isAway() {
      return presence.isAway;
    },
    name: (...parts) => [prefix, ...parts].join(':'),
    call,
    script: (lua) => scriptOf(lua, call),
    subscribe: (channel, listener) => channels.listen(channel, listener),
    onReturn: (listener) => presence.onReturn(listener),
    report(error) {
      if (!(error instanceof RedisUnavailable)) onError(error);
    },
    async close() {
      clearInterval(pinging);
      channels.clear();
      client.removeAllListeners('close');
      client.disconnect();
    },
  };
}

/** @throws RedisRefused */
async function connectFirst(client: Redis, presence: Presence): Promise<void> {
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const reason = presence.lastError instanceof Error ? presence.lastError : (error as Error);
    if (refusals.test(reason.message)) {
      // It answers: nobody is told that it is away.
      client.removeAllListeners('close');
      client.disconnect();
      throw new RedisRefused(reason);
    }
    presence.away(reason);
  }
}

/** The server is sent a script's text once, and its hash from then on. */
function scriptOf(lua: string, call: RedisConnection['call']): RedisScript {
  const hash = createHash('sha1').update(lua).digest('hex');
  return (keys, args) =>
    call(async (client) => {
      try {
        return await client.evalsha(hash, keys.length, ...keys, ...args);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.eval(lua, keys.length, ...keys, ...args);
      }
    });
}
