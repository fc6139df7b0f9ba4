import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SentFile } from '../../../../server/desk/desk-page.ts';
import { endedWithSite } from '../../audit-log.ts';
import type { ImportOrder, ImportResult } from './import-orders.ts';
import { runImport } from './run-import.ts';

/** An archive that was sent to this instance, and what came of it. */
export interface Uploaded {
  readonly id: string;
  readonly dryRun: boolean;
  readonly unpublished: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Null while it runs. */
  readonly result: ImportResult | null;
}

/** Time to read what a check has found. */
const keptMs = 30 * 60_000;
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

/** Checks and imports archives, one at a time. The last one is kept for a while, to be imported after its check. */
export function createUploads({
  folder,
  configuration,
  stopping,
  onLate,
  onKept,
  import: run = runImport,
}: UploadsParts) {
  let last: Uploaded | null = null;
  let forgetting: NodeJS.Timeout | undefined;
  const zip = () => join(folder, 'archive.zip');

  const unpacked = (dryRun: boolean) => join(folder, dryRun ? 'checked' : 'imported');
  const remove = (path: string) => rm(path, { recursive: true, force: true });

  async function forget(): Promise<void> {
    last = null;
    await remove(folder);
  }

  /** Deletes what is here now, which a killed process has left; its import has ended with it. */
  async function clear(): Promise<void> {
    const left = existsSync(folder) ? readdirSync(folder) : [];
    for (const dryRun of [true, false])
      if (existsSync(unpacked(dryRun)))
        last = {
          ...{ id: randomUUID(), dryRun, unpublished: false, at: Date.now() },
          result: { kind: 'failed', text: `${endedWithSite} Send the archive again.` },
        };
    await Promise.all(left.map((name) => remove(join(folder, name))));
  }
  const cleared = clear().catch(onKept);

  /** @returns what came of it; its result is null when it still runs after a while */
  async function start(
    { dryRun, unpublished }: Pick<Uploaded, 'dryRun' | 'unpublished'>,
    prepare: () => Promise<void>,
  ): Promise<Uploaded> {
    clearTimeout(forgetting);
    const begun = { id: randomUUID(), dryRun, unpublished, at: Date.now(), result: null };
    last = begun;
    const order = { zip: zip(), folder: unpacked(dryRun), dryRun, unpublished, configuration };
    const ended = cleared
      .then(prepare)
      .then(() => run(order, stopping))
      .catch((thrown: unknown): ImportResult => ({ kind: 'failed', text: String(thrown) }))
      .then(async (result) => {
        const finished = { ...begun, result };
        last = finished;
        // Only what was checked without a mistake is of further use.
        if (!dryRun || result.kind !== 'done') await rm(zip(), { force: true });
        forgetting = setTimeout(() => void forget().catch(() => {}), keptMs);
        forgetting.unref();
        return finished;
      });
    const { promise: late, resolve } = Promise.withResolvers<Uploaded>();
    const timer = setTimeout(() => resolve(begun), waitMs);
    const first = await Promise.race([ended, late]).finally(() => clearTimeout(timer));
    if (first.result === null) onLate(ended);
    return first;
  }

  return {
    last: () => last,
    isRunning: () => last !== null && last.result === null,
    take: (file: SentFile, how: Pick<Uploaded, 'dryRun' | 'unpublished'>): Promise<Uploaded> =>
      start(how, () => rename(file.path, zip())),
    /** Imports what was checked. @returns null when it is not here any more */
    async importChecked(id: string): Promise<Uploaded | null> {
      if (last?.id !== id || !last.dryRun || last.result?.kind !== 'done') return null;
      return start({ dryRun: false, unpublished: last.unpublished }, async () => {});
    },
  };
}
