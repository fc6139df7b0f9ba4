import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SettingsChange } from '../../doubles/tiktok/settings.ts';
import type { Statistics } from '../../doubles/tiktok/statistics.ts';

import { compileCache, endWithTests, endWithWorker } from './processes.ts';

export { numberedId } from '../../doubles/tiktok/scenarios/ids.ts';

/** The platform's double in a separate process, as a product sees it. */
export interface PlatformProcess {
  /** Environment that makes the product take the double for the platform. */
  readonly environment: {
    readonly HTTPS_PROXY: string;
    readonly NO_PROXY: string;
    readonly NODE_EXTRA_CA_CERTS: string;
  };
  /** Addresses to paste, by the name of the post or short link (`npm run double -- --list`). */
  readonly links: Readonly<Record<string, string>>;
  readonly pid: number;
  /** @throws when there is no link of that name */
  link(name: string): string;
  stats(): Promise<Statistics>;
  /** Restores counts, settings and wearing faults to their initial state. */
  reset(): Promise<void>;
  configure(change: SettingsChange): Promise<void>;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  readonly latencyMs?: number;
  /** Bits per second of all bodies together. */
  readonly bandwidthBps?: number;
}

const MAIN = fileURLToPath(new URL('../../doubles/tiktok/main.ts', import.meta.url));

let shared: Promise<PlatformProcess> | undefined;

/**
 * A double in its initial state. Without options it is that of the worker, which runs its files one after the other: its
 * start costs more than most tests. Its `stop` does nothing. @throws when it does not start
 */
export async function startPlatform(options?: PlatformOptions): Promise<PlatformProcess> {
  if (options !== undefined) return launchPlatform(options, endWithTests);
  shared ??= launchPlatform({}, endWithWorker);
  const platform = await shared;
  await platform.reset();
  return { ...platform, async stop() {} };
}

/** Starts the double and waits until it is ready. */
async function launchPlatform(
  { latencyMs = 0, bandwidthBps }: PlatformOptions,
  endLater: (child: ChildProcess) => void,
): Promise<PlatformProcess> {
  const line = bandwidthBps === undefined ? [] : ['--bandwidth-bps', String(bandwidthBps)];
  const child = spawn(process.execPath, [MAIN, '--latency-ms', String(latencyMs), ...line], {
    // Not `inherit`: a reader waiting for the end of a test's output would wait for the double, too.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...compileCache },
  });
  child.stderr.pipe(process.stderr);
  endLater(child);
  const ready = await firstLine(child);
  const { proxyUrl, caFile, controlUrl, links } = JSON.parse(ready) as {
    proxyUrl: string;
    caFile: string;
    controlUrl: string;
    links: Record<string, string>;
  };

  async function control(path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${controlUrl}${path}`, {
      method: path === '/stats' ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The double answered ${response.status}: ${await response.text()}`);
    return response;
  }

  return {
    environment: {
      HTTPS_PROXY: proxyUrl,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: caFile,
    },
    links,
    pid: child.pid ?? 0,
    link(name) {
      const url = links[name];
      if (url === undefined) throw new Error(`The double has no link named ${name}`);
      return url;
    },
    async stats() {
      return (await (await control('/stats')).json()) as Statistics;
    },
    async reset() {
      await control('/reset');
    },
    async configure(change) {
      await control('/configure', change);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The double has no standard output');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => text as string),
    once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The double ended with ${code ?? signal} before it was ready`);
    }),
  ]);
  lines.close();
  // Drains the output; a full pipe must not stop the double.
  child.stdout.resume();
  return line;
}
