import { existsSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentFile } from '../../../../server/desk/desk-page.ts';
import type { ImportOrder, ImportResult } from './import-orders.ts';
import { runImport } from './run-import.ts';

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
  readonly configuration: ImportOrder['configuration'];
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
