import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** As shells report a program that a signal ended. */
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

/** Makes a folder that only this account can read, and removes it afterwards. @param place an existing folder */
export function withScratchFolder<R>(place: string, task: (folder: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(place, '.clipferry-'));
  return withRemoval(
    () => rmSync(folder, { recursive: true, force: true }),
    () => task(folder),
  );
}
