import type { ServerResponse } from 'node:http';
import { Failure } from '../../../failures/failures.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { blockFactor } from './rate-limits.ts';

/** Counts an answer as one of a visitor's downloads until its connection is done with it. */
export type DownloadLimit = (visitor: Visitor, response: ServerResponse) => void;

/** A small file is through by then. */
const retryAfterS = 10;

/**
 * Limits concurrent downloads, or other long responses, for each visitor and address block: each holds a connection,
 * and kernel memory, for as long as its client likes.
 * @returns a function that throws `Failure` `downloads_limited` with the seconds after which a retry makes sense
 */
export function createDownloadLimit(atOnce: number): DownloadLimit {
  const running = new Map<string, number>();
  const add = (name: string, change: 1 | -1) => {
    const count = (running.get(name) ?? 0) + change;
    if (count === 0) running.delete(name);
    else running.set(name, count);
  };
  return ({ key, block, times = 1 }, response) => {
    const most = atOnce * times;
    const [one, all] = [`visitor ${key}`, `block ${block}`];
    if ((running.get(one) ?? 0) >= most || (running.get(all) ?? 0) >= most * blockFactor)
      throw new Failure('downloads_limited', { retryAfterS });
    // Its close event has fired already.
    if (response.closed) return;
    for (const name of [one, all]) add(name, 1);
    response.once('close', () => {
      for (const name of [one, all]) add(name, -1);
    });
  };
}
