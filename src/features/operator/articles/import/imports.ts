import { fork } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SentFile } from '../../../../server/desk/desk-page.ts';
import type { SiteConfiguration } from '../../../../site/configuration/configuration.ts';
import type { ImportOrder, ImportResult } from './import-orders.ts';

/** An archive that was sent to this instance, and what came of it. */
export interface Uploaded {
  readonly dryRun: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null while it runs. */
  readonly result: ImportResult | null;
}

/** Proxies in front of the site end an answer that takes a minute. */
const waitMs = 40_000;

interface UploadsParts {
  readonly folder: string;
  readonly configuration: SiteConfiguration;
  /** Aborts when the instance is to stop. */
  readonly stopping: AbortSignal;
  /** Called for a run that nobody waits for any longer. */
  onLate(end: Promise<Uploaded>): void;
  /** Called when what a killed process has left cannot be deleted. */
  onKept(error: unknown): void;
  readonly import?: typeof runImport;
}

/** Checks and imports archives, one at a time. */
export function createUploads(parts: UploadsParts) {
  const { folder, configuration, stopping, onLate, onKept, import: run = runImport } = parts;
  let last: Uploaded | null = null;
  const zip = join(folder, 'archive.zip');

  /** Deletes what is here now, which a killed process has left; its import has ended with it. */
  async function clear(): Promise<void> {
    const left = existsSync(folder) ? readdirSync(folder) : [];
    await Promise.all(left.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  }
  const cleared = clear().catch(onKept);

  return {
    last: () => last,
    isRunning: () => last !== null && last.result === null,
    /** @returns what came of it; its result is null when it still runs after a while */
    async take(file: SentFile, how: Pick<ImportOrder, 'dryRun' | 'unpublished'>): Promise<Uploaded> {
      const begun = { dryRun: how.dryRun, at: Date.now(), result: null };
      last = begun;
      const ended = cleared
        .then(() => rename(file.path, zip))
        .then(() => run({ ...how, zip, folder: join(folder, 'unpacked'), configuration }, stopping))
        .catch((thrown: unknown): ImportResult => ({ kind: 'failed', text: String(thrown) }))
        .then(async (result) => {
          last = { ...begun, result };
          await rm(zip, { force: true });
          return last;
        });
      const { promise: late, resolve } = Promise.withResolvers<Uploaded>();
      const timer = setTimeout(() => resolve(begun), waitMs);
      const first = await Promise.race([ended, late]).finally(() => clearTimeout(timer));
      if (first.result === null) onLate(ended);
      return first;
    },
  };
}

const program = fileURLToPath(new URL('./import-program.ts', import.meta.url));

/** A thousand pictures take some minutes. */
const limitMs = 30 * 60_000;

/**
 * Imports an archive in a process of its own: unpacking, checking and making pictures take no time of the thread that
 * answers visitors, and its memory is free afterwards.
 * @param signal ends it; the next import completes what this one has begun
 */
async function runImport(order: ImportOrder, signal: AbortSignal): Promise<ImportResult> {
  await rm(order.folder, { recursive: true, force: true });
  await mkdir(order.folder, { recursive: true, mode: 0o700 });
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    killSignal: 'SIGKILL',
  });
  // As `posts import` does: visitors wait, an import does not.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const { promise, resolve } = Promise.withResolvers<ImportResult>();
  child.once('message', (result) => resolve(result as ImportResult));
  child.once('error', (error) => resolve({ kind: 'failed', text: String(error) }));
  const { promise: exited, resolve: onExit } = Promise.withResolvers<void>();
  child.once('exit', (code, ended) => {
    resolve({ kind: 'failed', text: `the import ended by itself (${ended ?? code})` });
    onExit();
  });
  child.send(order, (error) => {
    if (error !== null) resolve({ kind: 'failed', text: String(error) });
  });
  try {
    return await promise;
  } finally {
    child.kill('SIGKILL');
    if (child.pid !== undefined) await exited;
    await rm(order.folder, { recursive: true, force: true });
  }
}
