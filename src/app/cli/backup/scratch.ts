import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { asStorageFull } from '../../../stores/embedded/storage-errors.ts';

/** Exit code for a signal: 128 + its number. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Makes something to work in and removes it afterwards, however the program ends, short of a kill.
 * @param remove must be quick and fail for nothing
 */
export async function withRemoval<R>(remove: () => void, task: () => Promise<R>): Promise<R> {
  const onSignal = (signal: keyof typeof exitCodes) => process.exit(exitCodes[signal]);
  const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  process.once('exit', remove);
  for (const signal of signals) process.once(signal, onSignal);
  try {
    return await task();
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
    process.off('exit', remove);
    remove();
  }
}

const machine = hostname()
  .replace(/[^A-Za-z0-9-]/g, '')
  .slice(0, 40);

/** Marks names of unfinished files as this process's: `.HOST.PID.`. */
export const ofThisProcess = `.${machine}.${process.pid}.`;

/** Removes what processes of this machine left in a folder that were killed. @param place an existing folder */
function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    const [, host, pid] =
      /^(?:\.clipferry|.+)\.([A-Za-z0-9-]*)\.(\d{1,10})\.(?:[A-Za-z0-9]{6}|partial)$/.exec(name) ?? [];
    if (host === machine && !isRunning(Number(pid)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another account's process is alive as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Makes a folder that only this account can read, and removes it afterwards; a later one removes it after a kill. All
 * files that the process writes from now on are private.
 * @param place an existing folder
 * @throws StorageFull when it has no room; what the task throws
 */
export function withScratchFolder<R>(place: string, task: (folder: string) => Promise<R>): Promise<R> {
  process.umask(0o077);
  removeLeftovers(place);
  const folder = mkdtempSync(join(place, `.clipferry${ofThisProcess}`));
  return withRemoval(
    () => rmSync(folder, { recursive: true, force: true }),
    () =>
      task(folder).catch((error: unknown) => {
        throw asStorageFull(error, `The disk is full: ${place} needs room for a copy of all data`);
      }),
  );
}
