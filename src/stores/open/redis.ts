import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import type { ConversionJobs } from '../contracts/conversion-jobs.ts';
import type { ConversionStore } from '../contracts/conversion-store.ts';
import type { DistributedSingleFlight } from '../contracts/distributed-single-flight.ts';
import type { MakeRateCounters } from '../contracts/rate-counters.ts';
import type { SharedBreakers } from '../contracts/shared-breakers.ts';
import type { SharedCache } from '../contracts/shared-cache.ts';

/** Notifies instances as soon as another process has written to the database. */
export type ChangeTopic = 'content' | 'takedowns';

/** The instances' shared state on a Redis or Valkey server. */
export interface SharedRedis {
  readonly makeCounters: MakeRateCounters;
  /** Opens texts of this name; a process opens each once. */
  openCache(space: string, maxBytes: number): SharedCache;
  /** Opens work of this name. */
  openSingleFlight(space: string): DistributedSingleFlight;
  readonly breakers: SharedBreakers;
  /** @param local this instance's own store, used alone while the server is unreachable */
  openConversionStore(local: ConversionStore): ConversionStore;
  /** Opens the queue of conversions. @param maxWaiting jobs that may wait */
  openJobs(maxWaiting: number): Promise<ConversionJobs>;
  /** Tells all instances that something was written into the database. */
  announce(topic: ChangeTopic): Promise<void>;
  onChange(topic: ChangeTopic, listener: () => void): void;
  /** True while the server does not respond and this instance goes on alone. */
  readonly isAway: boolean;
  close(): Promise<void>;
}

/**
 * Connects to the server that `REDIS_URL` names; null, with no code loaded, when it is not set. An unreachable server
 * is no obstacle: the instance starts alone.
 * @throws EnvironmentError when the server refuses the log-in
 */
export async function openSharedRedis(
  { REDIS_URL, REDIS_PREFIX, SECRET_KEY }: Pick<Environment, 'REDIS_URL' | 'REDIS_PREFIX' | 'SECRET_KEY'>,
  logger: Logger,
): Promise<SharedRedis | null> {
  if (REDIS_URL === undefined) return null;
  if (SECRET_KEY === undefined)
    logger.warn(
      'REDIS_URL without SECRET_KEY: instances with keys of their own share neither links nor pages',
    );
  const [
    { openRedis },
    { createRedisCounters },
    { countHere },
    { RedisCache },
    { RedisSingleFlight },
    { createRedisBreakers },
    { createRedisConversionStore },
  ] = await Promise.all([
    import('../scale-out/redis/connection.ts'),
    import('../scale-out/redis/rate-counters.ts'),
    import('../embedded/rate-counters.ts'),
    import('../scale-out/redis/shared-cache.ts'),
    import('../scale-out/redis/single-flight.ts'),
    import('../scale-out/redis/shared-breakers.ts'),
    import('../scale-out/redis/conversions/conversion-store.ts'),
  ]);
  const connection = await openRedis({
    url: REDIS_URL,
    prefix: REDIS_PREFIX,
    onAway: (reason) => logger.warn({ reason }, 'Redis does not respond: this instance continues without it'),
    onReturn: () => logger.info('Redis responds again'),
    onError: (error) => logger.error({ err: error }, 'Redis refused a call'),
  }).catch((error: unknown) => {
    throw new EnvironmentError(`REDIS_URL: ${(error as Error).message}`, { cause: error });
  });
  return {
    makeCounters: createRedisCounters(connection, countHere),
    openCache: (space, maxBytes) => new RedisCache(connection, space, maxBytes),
    openSingleFlight: (space) => new RedisSingleFlight(connection, space),
    breakers: createRedisBreakers(connection),
    openConversionStore: (local) => createRedisConversionStore(connection, local),
    async openJobs(maxWaiting) {
      const { createRedisConversionJobs } = await import('../scale-out/redis/conversions/conversion-jobs.ts');
      return createRedisConversionJobs(connection, maxWaiting);
    },
    async announce(topic) {
      await connection.call((client) => client.publish(connection.name('changed', topic), ''));
    },
    onChange: (topic, listener) => void connection.subscribe(connection.name('changed', topic), listener),
    get isAway() {
      return connection.isAway;
    },
    close: () => connection.close(),
  };
}

/**
 * Notifies the instances of a site that another process has written to the database, so that they need not discover it
 * by polling a second later. If Redis does not respond, they poll.
 * @throws EnvironmentError as {@link openSharedRedis}
 */
export async function announceChange(
  environment: Environment,
  topic: ChangeTopic,
  logger: Logger,
): Promise<void> {
  const redis = await openSharedRedis(environment, logger);
  if (redis === null) return;
  try {
    if (!redis.isAway) await redis.announce(topic);
  } catch (error) {
    logger.warn({ err: error }, 'instances hear of the change a second later');
  } finally {
    await redis.close();
  }
}
