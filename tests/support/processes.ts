import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Makes a Node process use the product's compile cache: a start takes half as long. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/compiled/', import.meta.url)),
};

const ofFile = new Set<ChildProcess>();
const ofWorker = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of [...ofFile, ...ofWorker]) child.kill('SIGKILL');
});
// Vitest ends a worker with this signal; without a listener `exit` never fires.
process.once('SIGTERM', () => process.exit());

function endWith(processes: Set<ChildProcess>, child: ChildProcess): void {
  processes.add(child);
  child.once('exit', () => processes.delete(child));
}

/** Ends a process with the tests of this file at the latest, even if they fail to stop it. */
export const endWithTests = (child: ChildProcess): void => endWith(ofFile, child);

/** Ends a process with the worker that runs this file and others, one after the other. */
export const endWithWorker = (child: ChildProcess): void => endWith(ofWorker, child);

/**
 * Ends leftover processes, as of tests that fail while they start several at once: one that still holds its output keeps
 * Vitest from ending.
 */
export async function endWhatIsLeft(): Promise<void> {
  const ended = [...ofFile].map((child) => once(child, 'exit'));
  for (const child of ofFile) child.kill('SIGKILL');
  await Promise.all(ended);
}

/** A process's open resources, from Linux. */
export interface OpenThings {
  readonly sockets: number;
  /** Open files of the data folder. */
  readonly files: number;
  /** Child processes that still live. */
  readonly children: number;
  readonly threads: number;
}

/** Null when it ended between the listing and the check. */
function orGone<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function parentOf(pid: string): string | undefined {
  const stat = orGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
}

/** A process's children that still live, from Linux. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === String(pid))
    .map(Number);

/** Whether a process still runs: one that nobody has waited for has no command line any more. */
export const isRunning = (pid: number): boolean =>
  (orGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '') !== '';

/** Counts a process's open resources. @param folder whose open files count */
export function openThings(pid: number, folder: string): OpenThings {
  const descriptors = `/proc/${pid}/fd`;
  const targets = readdirSync(descriptors).map(
    (fd) => orGone(() => readlinkSync(join(descriptors, fd))) ?? '',
  );
  return {
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
    files: targets.filter((target) => target.startsWith(folder)).length,
    children: childrenOf(pid).length,
    threads: readdirSync(`/proc/${pid}/task`).length,
  };
}
