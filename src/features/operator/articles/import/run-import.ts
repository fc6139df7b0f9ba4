import { fork } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ImportOrder, ImportResult } from './import-orders.ts';

const program = fileURLToPath(new URL('./import-program.ts', import.meta.url));

/** A thousand pictures take some minutes. */
const limitMs = 30 * 60_000;

/**
 * Imports an archive in a process of its own: unpacking, checking and making pictures take no time of the thread that
 * answers visitors, and its memory is free afterwards.
 * @param signal ends it; the next import completes what this one has begun
 */
export async function runImport(order: ImportOrder, signal: AbortSignal): Promise<ImportResult> {
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
