import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { endWithTests } from './processes.ts';

/** The built product, running in a separate process. */
export interface RunningProduct {
  readonly origin: string;
  readonly pid: number;
  readonly dataFolder: string;
  /** Everything it logged so far, parsed. */
  log(): readonly Record<string, unknown>[];
  /** Sends a signal and waits for the end. @returns the exit code, null when the signal itself ended it */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** One value of `/metrics`, or the sum over labels; 0 when it is missing. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
}

export interface ProductOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Reuse the data folder of an earlier run; otherwise a new one, removed at the end. */
  readonly dataFolder?: string;
  /** A program that starts the product, with its arguments; it must become the product (`exec`). */
  readonly wrapper?: readonly string[];
  /** Another program than `npm start` runs; it reports readiness in the same form. */
  readonly main?: string;
  /** Ends the process when nobody has stopped it; by default with the tests of the file. */
  readonly endLater?: (child: ChildProcess) => void;
}

export const databaseFile = 'clipferry.db';

/** Puts the database of a first start into a data folder, if one was made before the tests: a start does not import. */
export function copyFirstDatabase(folder: string): void {
  const { FIRST_DATABASE: first } = process.env;
  if (first !== undefined) copyFileSync(first, join(folder, databaseFile));
}

/** A data folder as the first start leaves it. The caller removes it. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clipferry-data-'));
  copyFirstDatabase(folder);
  return folder;
}

/** For a hanging process: a busy machine takes many times its usual second. */
const startLimitMs = 50_000;

/** The options that `npm start` gives to Node. */
function nodeOptions(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return words.slice(words.indexOf('node') + 1).filter((word) => word.startsWith('--'));
}

function readyOrigin(child: ChildProcess, log: Record<string, unknown>[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`not ready in ${startLimitMs} ms`)), startLimitMs);
    const errors: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => errors.push(String(chunk)));
    child.once('exit', (code) =>
      reject(new Error(`ended with ${code} before it was ready: ${errors.join('')}`)),
    );
    if (child.stdout === null) throw new Error('no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry.msg !== 'ready') return;
      clearTimeout(limit);
      resolve(String(entry.origin));
    });
  });
}

/** Starts the production build on a free port of the loopback interface and waits until it is ready. */
export async function startProduct({
  env = {},
  dataFolder,
  wrapper = [],
  main = 'src/app/web.js',
  endLater = endWithTests,
}: ProductOptions = {}): Promise<RunningProduct> {
  // Behind a trusted proxy, the site itself does not serve metrics.
  const metricsPort =
    env.TRUST_PROXY !== undefined && env.METRICS_PORT === undefined ? await freePort() : null;
  const folder = dataFolder ?? makeDataFolder();
  const log: Record<string, unknown>[] = [];
  const program = [process.execPath, ...nodeOptions(), main];
  const [command = '', ...values] = [...wrapper, ...program];
  const child = spawn(command, values, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      RESOLVES_PER_MINUTE: '10000',
      FILES_PER_MINUTE: '10000',
      PAGES_PER_MINUTE: '1000000',
      ...(metricsPort !== null && { METRICS_PORT: String(metricsPort) }),
      DOWNLOADS_AT_ONCE: '10000',
      ...env,
    },
  });
  // Not its `exit`: its last output may still be in transit then.
  const ended = once(child, 'close');
  endLater(child);
  const origin = await readyOrigin(child, log).catch((error: unknown) => {
    child.kill('SIGKILL');
    if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
    throw error;
  });

  return {
    origin,
    pid: child.pid ?? 0,
    dataFolder: folder,
    log: () => log,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = (await ended) as [number | null];
      if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
    async metric(name, labels = {}) {
      const place = metricsPort === null ? origin : `http://127.0.0.1:${metricsPort}`;
      const text = await (await fetch(`${place}/metrics`)).text();
      const matching = text
        .split('\n')
        .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
        .filter((line) =>
          Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)),
        );
      return matching.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
  };
}
