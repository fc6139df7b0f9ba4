import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { type Balancer, hasBalancer, startBalancer } from './balancer.ts';
import { canHaveInstances, type Instances, prepareInstances } from './instances.ts';
import type { Journey } from './journey.ts';
import { makeOtherVersion } from './other-version.ts';
import type { RunningProduct } from './product.ts';

/** Whether the services of a site of many machines are available: Redis, PostgreSQL and nginx. */
export const canHaveMachines = canHaveInstances && hasBalancer;

/** One backend of the balancer, at which an instance runs. */
export interface Machine {
  /** The backend's address. */
  readonly address: string;
  /** The instance that runs there now. */
  journey(): Journey;
  /** Stops the program there with a signal and starts it again, in this version or the other one. */
  restart(signal: 'SIGTERM' | 'SIGKILL', version: Version): Promise<void>;
}

type Version = 'this' | 'other';

/** A site on many machines: instances behind a balancer, converters, and their shared services. */
export interface Machines {
  readonly instances: Instances;
  readonly balancer: Balancer;
  readonly machines: readonly Machine[];
  readonly converters: readonly RunningProduct[];
  /** Kills a converter and starts another. */
  replaceConverter(at: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts three instances without conversions, two converters, an S3 server and the balancer. */
export async function startMachines(): Promise<Machines> {
  const [instances, s3]: [Instances, S3Double] = await Promise.all([prepareInstances(), startS3Double()]);
  const other = makeOtherVersion();
  const converterEnvironment = { CONVERSIONS: '1', ...s3.environment };
  const webEnvironment = { CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1', ...s3.environment };
  const folders: string[] = [];

  async function startMachine(): Promise<Machine> {
    const port = await freePort();
    const dataFolder = mkdtempSync(join(tmpdir(), 'clipferry-machine-'));
    folders.push(dataFolder);
    const start = (version: Version) =>
      instances.start(
        { ...webEnvironment, PORT: String(port) },
        { dataFolder, wrapper: version === 'other' ? ['env', `--chdir=${other.folder}`] : [] },
      );
    let journey = await start('this');
    return {
      address: `127.0.0.1:${port}`,
      journey: () => journey,
      async restart(signal, version) {
        await journey.product.stop(signal);
        journey = await start(version);
      },
    };
  }

  const startConverter = () => instances.startConverter(converterEnvironment);
  const machines = await Promise.all([startMachine(), startMachine(), startMachine()]);
  const converters = await Promise.all([startConverter(), startConverter()]);
  const balancer = await startBalancer(machines.map(({ address }) => Number(address.split(':')[1])));
  return {
    instances,
    balancer,
    machines,
    converters,
    async replaceConverter(at) {
      await converters[at]?.stop('SIGKILL');
      converters[at] = await startConverter();
    },
    async stop() {
      await balancer.stop();
      await instances.stop();
      await s3.close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      other.remove();
    },
  };
}
