import { type DatabasePlace, engines } from '../../src/stores/contracts/testing/services/databases.ts';
import { type FaultyLine, openFaultyLine } from '../../src/stores/contracts/testing/services/faulty-line.ts';
import {
  hasRedis,
  makeRedisPlace,
  type RedisPlace,
} from '../../src/stores/contracts/testing/services/redis-places.ts';
import { importOneArticle } from './articles.ts';
import { type Journey, startJourney } from './journey.ts';
import { type PlatformProcess, startPlatform } from './platform.ts';
import { type ProductOptions, type RunningProduct, startProduct } from './product.ts';

const postgresql = engines.find(({ name }) => name === 'postgresql');

/** Whether the shared services of several instances are available: Redis and PostgreSQL. */
export const canHaveInstances = hasRedis && postgresql !== undefined;

/** Instances of one site, with the servers that they share. */
export interface Instances {
  readonly platform: PlatformProcess;
  readonly redis: RedisPlace;
  /** The instances' connection to Redis. */
  readonly line: FaultyLine;
  /** The environment of the instances and of the operator's commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts another instance. */
  start(
    env?: Readonly<Record<string, string>>,
    options?: Pick<ProductOptions, 'dataFolder' | 'wrapper'>,
  ): Promise<Journey>;
  /** Starts a converter (`npm run jobs`). */
  startConverter(env?: Readonly<Record<string, string>>): Promise<RunningProduct>;
  stop(): Promise<void>;
}

/** Starts the platform's double and makes room on Redis and PostgreSQL, with one article; no instance runs yet. */
export async function prepareInstances(): Promise<Instances> {
  if (postgresql === undefined) throw new Error('there is no PostgreSQL to test with');
  const [platform, redis, database]: [PlatformProcess, RedisPlace, DatabasePlace] = await Promise.all([
    startPlatform(),
    makeRedisPlace(),
    postgresql.makePlace(),
  ]);
  const line = await openFaultyLine(redis);
  await importOneArticle(database.environment);
  const journeys: Journey[] = [];
  const converters: RunningProduct[] = [];
  const redisUrl = new URL(redis.environment.REDIS_URL);
  redisUrl.host = `127.0.0.1:${line.port}`;
  const environment = {
    ...database.environment,
    ...redis.environment,
    REDIS_URL: redisUrl.href,
    SECRET_KEY: 'the same on all instances, and long enough',
  };
  return {
    platform,
    redis,
    line,
    environment,
    async start(env = {}, options = {}) {
      const journey = await startJourney({ ...options, platform, env: { ...environment, ...env } });
      journeys.push(journey);
      return journey;
    },
    async startConverter(env = {}) {
      const converter = await startProduct({
        main: 'src/app/jobs.js',
        // Then its metrics are on a separate port.
        env: { TRUST_PROXY: '127.0.0.1', ...platform.environment, ...environment, ...env },
      });
      converters.push(converter);
      return converter;
    },
    async stop() {
      line.resume();
      await Promise.all([...journeys, ...converters].map((started) => started.stop()));
      await line.close();
      await Promise.all([platform.stop(), redis.remove(), database.remove()]);
    },
  };
}

/** Two instances that leave conversions to converters. */
export interface InstancesWithConverters {
  readonly instances: Instances;
  readonly one: Journey;
  readonly other: Journey;
  readonly converters: RunningProduct[];
}

/** Starts two instances without conversions, and a number of converters with one conversion at a time. */
export async function startWithConverters(count: number): Promise<InstancesWithConverters> {
  const instances = await prepareInstances();
  const web = { CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1' };
  const [one, other] = await Promise.all([instances.start(web), instances.start(web)]);
  const started = Array.from({ length: count }, () => instances.startConverter({ CONVERSIONS: '1' }));
  return { instances, one, other, converters: await Promise.all(started) };
}
