import { createHash } from 'node:crypto';
import { Redis, ReplyError } from 'ioredis';
import { watchAnswers } from './watch-answers.ts';

/** A new connection takes milliseconds where there is anybody to connect to. */
const connectMs = 1000;
/** Between two tries while nobody answers. */
const retryMs = 500;
/** An unused connection is looked at this often, so that a silent one is noticed before somebody waits for it. */
const pingMs = 2000;

/** Redis did not answer in time, or not at all. */
export class RedisUnavailable extends Error {
  constructor(cause: unknown) {
    super(`Redis does not answer: ${cause instanceof Error ? cause.message : 'no connection'}`);
    this.name = 'RedisUnavailable';
  }
}

/** The server answers, and lets nobody in with these names and words. */
export class RedisRefused extends Error {
  constructor(cause: Error) {
    super(cause.message);
    this.name = 'RedisRefused';
  }
}

/** A Lua script, as one call that nothing comes in between. */
type RedisScript = (keys: readonly string[], args: readonly (string | number | Buffer)[]) => Promise<unknown>;

/** What an instance has of a Redis or Valkey server. */
export interface RedisConnection {
  /** True from the first call without an answer until the server answers again; calls then fail at once. */
  readonly isAway: boolean;
  /** The full name of a key, a channel or a queue of this site. */
  name(...parts: readonly string[]): string;
  /**
   * Calls the server, for at most a second.
   * @throws RedisUnavailable without an answer; what the server refuses is thrown as it is
   */
  call<T>(work: (client: Redis) => Promise<T>): Promise<T>;
  /** The same for a script. */
  script(lua: string): RedisScript;
  /**
   * Hears what is published on a channel, given by its full name, from the next answer of the server on.
   * @returns ends it
   */
  subscribe(channel: string, listener: (message: string) => void): () => void;
  /** Called whenever the server has come back, subscriptions included: what was published meanwhile was missed. */
  onReturn(listener: () => void): void;
  /** The client itself, for libraries that bring calls of their own. While the server is away its calls fail at once. */
  readonly client: Redis;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  readonly url: string;
  /** What all names begin with: sites with different ones do not see each other. */
  readonly prefix: string;
  /** Told once when the server went away, with the reason in words, and once when it is back. */
  readonly onAway: (reason: string) => void;
  readonly onReturn: () => void;
}

const refusals = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:AUTH|invalid password|DB index|SELECT))/i;

function asUnavailable(error: unknown): unknown {
  return error instanceof ReplyError ? error : new RedisUnavailable(error);
}

/**
 * Connects, and goes on trying for as long as the process lives.
 * @returns after the first answer, or after a second without one
 * @throws RedisRefused when the server lets nobody in with this address
 */
export async function openRedis({ url, prefix, onAway, onReturn }: RedisOptions): Promise<RedisConnection> {
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
  watchAnswers(client);
  const listeners = new Map<string, Set<(message: string) => void>>();
  const returned = new Set<() => void>();
  let lastError: unknown = null;
  /** Null until the first answer or the first failure. */
  let isAway: boolean | null = null;

  function away(error: unknown): void {
    if (isAway === true) return;
    isAway = true;
    // The words alone: errors of this client hold what was sent, also a password.
    onAway(error instanceof Error ? error.message : 'the connection was closed');
  }

  async function back(): Promise<void> {
    const channels = [...listeners.keys()];
    try {
      if (channels.length > 0) await client.subscribe(...channels);
    } catch (error) {
      lastError = error;
      // Its connection is gone again, or will be: without news this instance would show what others have dropped.
      client.disconnect(true);
      return;
    }
    const wasAway = isAway === true;
    isAway = false;
    if (wasAway) onReturn();
    for (const listener of returned) listener();
  }

  client.on('error', (error) => {
    lastError = error;
  });
  client.on('close', () => away(lastError));
  client.on('ready', () => void back());
  client.on('message', (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message);
  });

  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const reason = lastError instanceof Error ? lastError : (error as Error);
    if (refusals.test(reason.message)) {
      client.disconnect();
      throw new RedisRefused(reason);
    }
    away(reason);
  }

  const pinging = setInterval(() => {
    // Its failure closes the connection, which is heard of there.
    if (isAway === false) client.ping().catch(() => {});
  }, pingMs).unref();

  async function call<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    if (isAway !== false) throw new RedisUnavailable(lastError);
    try {
      return await work(client);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  return {
    client,
    get isAway() {
      return isAway !== false;
    },
    name: (...parts) => [prefix, ...parts].join(':'),
    call,

    script(lua) {
      const hash = createHash('sha1').update(lua).digest('hex');
      return (keys, args) =>
        call(async () => {
          try {
            return await client.evalsha(hash, keys.length, ...keys, ...args);
          } catch (error) {
            if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
            return client.eval(lua, keys.length, ...keys, ...args);
          }
        });
    },

    subscribe(channel, listener) {
      const group = listeners.get(channel) ?? new Set();
      if (!listeners.has(channel)) {
        listeners.set(channel, group);
        // Where it fails the connection is gone, and what is listened to is subscribed with the next one.
        if (client.status === 'ready') client.subscribe(channel).catch(() => client.disconnect(true));
      }
      group.add(listener);
      return () => {
        group.delete(listener);
        if (group.size > 0 || listeners.get(channel) !== group) return;
        listeners.delete(channel);
        if (client.status === 'ready') client.unsubscribe(channel).catch(() => {});
      };
    },

    onReturn: (listener) => void returned.add(listener),

    async close() {
      clearInterval(pinging);
      listeners.clear();
      client.removeAllListeners('close');
      client.disconnect();
    },
  };
}
