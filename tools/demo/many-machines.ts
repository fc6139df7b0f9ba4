import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startS3Double } from '../../doubles/s3/server.ts';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { hasBalancer, startBalancer } from '../../tests/support/balancer.ts';
import { type Environment, isReady, keepRunning } from './programs.ts';

/** A site on several machines, all played by this one. */
export interface ManyMachines {
  /** Its description. */
  readonly about: string;
  stop(): Promise<void>;
}

export interface MachinesOptions {
  readonly instances: number;
  readonly converters: number;
  readonly host: string;
  readonly port: number;
  /** The folder that contains a folder for each program. */
  readonly dataFolder: string;
  /** Environment of all programs. */
  readonly env: Environment;
}

/** The required services, and how to get them. */
const needs: readonly { readonly name: string; isThere(env: Environment): boolean; readonly how: string }[] =
  [
    {
      name: 'REDIS_URL',
      isThere: ({ REDIS_URL }) => REDIS_URL !== undefined,
      how: 'Redis or Valkey: `apt-get install redis-server`, then REDIS_URL=redis://127.0.0.1:6379',
    },
    {
      name: 'DATABASE_URL',
      isThere: ({ DATABASE_URL }) => DATABASE_URL !== undefined,
      how: 'PostgreSQL: `apt-get install postgresql`, `createdb clipferry_demo`, then DATABASE_URL=postgres://user:password@127.0.0.1:5432/clipferry_demo',
    },
    { name: 'nginx', isThere: () => hasBalancer, how: 'the balancer: `apt-get install nginx-light`' },
  ];

/** The missing services for several machines, in lines for people; empty when there are none. */
export const missingFor = (env: Environment): readonly string[] =>
  needs.filter(({ isThere }) => !isThere(env)).map(({ name, how }) => `${name} is missing. ${how}`);

/**
 * Starts instances behind a round-robin balancer, and converters for all of them. Restarts programs that end.
 * @throws Error when they are not ready in time
 */
export async function startManyMachines(options: MachinesOptions): Promise<ManyMachines> {
  const { host, port, dataFolder, env } = options;
  const s3 = env.S3_ENDPOINT === undefined ? await startS3Double() : null;
  const shared = {
    ...env,
    SECRET_KEY: env.SECRET_KEY ?? randomBytes(32).toString('hex'),
    ...s3?.environment,
    HOST: '127.0.0.1',
    TRUST_PROXY: '127.0.0.1',
  };
  const startInstance = async (at: number) => {
    const [own, metrics] = [await freePort(), await freePort()];
    const program = keepRunning('web', {
      ...shared,
      PORT: String(own),
      METRICS_PORT: String(metrics),
      CONVERSIONS: '0',
      DATA_DIR: join(dataFolder, `site-${at}`),
    });
    return { program, port: own, metrics };
  };
  const instances = await Promise.all(
    Array.from({ length: options.instances }, (_, at) => startInstance(at)),
  );
  const converters = Array.from({ length: options.converters }, (_, at) =>
    keepRunning('jobs', { ...shared, CONVERSIONS: '1', DATA_DIR: join(dataFolder, `converter-${at}`) }),
  );
  const programs = [...instances.map(({ program }) => program), ...converters];
  const ready = await Promise.all(instances.map((one) => isReady(`http://127.0.0.1:${one.port}`)));
  const balancer = ready.every(Boolean)
    ? await startBalancer(
        instances.map((one) => one.port),
        { host, port },
      )
    : null;
  async function stop(): Promise<void> {
    await balancer?.stop();
    for (const program of programs) program.stop();
    await Promise.all(programs.map(({ ended }) => ended));
    await s3?.close();
  }
  if (balancer === null) {
    await stop();
    throw new Error('Not all instances were ready in time: the log above says why');
  }
  const rows = instances.map(
    (one) => `  http://127.0.0.1:${one.port}/  numbers: http://127.0.0.1:${one.metrics}/metrics`,
  );
  return {
    about: [
      `${balancer.origin}/ is nginx, which gives each request to the next of these (the header x-instance says which):`,
      ...rows,
      `Sounds are made by ${options.converters} converters. Kill any of them (kill -9): it is started again after a second.`,
      ...(s3 === null
        ? []
        : [
            'S3_ENDPOINT is not set: a store in memory, which ends with this, takes its place. Any store that speaks S3 will do.',
          ]),
    ].join('\n'),
    stop,
  };
}
