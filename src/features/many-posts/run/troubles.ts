import type { ErrorResponse } from '../../../site/api.ts';
import type { PauseReason } from './run-types.ts';

/** The site's refusal in place of a post or a file. */
export class Refusal extends Error {
  readonly error: ErrorResponse['error'];

  constructor(error: ErrorResponse['error']) {
    super(error.key);
    this.error = error;
  }
}

/** Limits of the site, and states of it. */
const ofSite: ReadonlySet<string> = new Set([
  ...['rate_limited', 'downloads_limited', 'queue_full', 'overloaded', 'stopping', 'unavailable'],
]);

/** Whether a failure is the site's: the post is not to blame. @param key its stable key */
export const isOfSite = (key: string): boolean => ofSite.has(key);

/** Files that cannot be written: the folder is gone, or may no longer be written to. */
const ofFolder: ReadonlySet<string> = new Set([
  ...['NotFoundError', 'NotAllowedError', 'InvalidStateError', 'NoModificationAllowedError'],
]);

/** Classifies an error: of the line, of the device, or of this program (`broken`). */
export function troubleOf(thrown: unknown): PauseReason | 'line' {
  const name = thrown instanceof DOMException ? thrown.name : '';
  if (name === 'QuotaExceededError') return 'storage';
  if (ofFolder.has(name)) return 'folder';
  // A connection that broke off, or a response that nobody can read.
  const isLine = thrown instanceof TypeError || thrown instanceof SyntaxError || name === 'NetworkError';
  return isLine ? 'line' : 'broken';
}
