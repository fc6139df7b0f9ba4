import { hkdfSync, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure } from '../../../failures/failures.ts';

/** The operator's password, of which only a hash is kept. */
export interface Password {
  /**
   * Whether a text is the password. Takes the same time whatever it is.
   * @throws Failure `overloaded` when too many are compared
   */
  matches(given: string): Promise<boolean>;
  /** Signs sessions. Another one for another password, and the same on all instances with one secret. */
  readonly sessionKey: Uint8Array;
}

/** RFC 7914: 32 MB and about a tenth of a second for each. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } satisfies ScryptOptions;
const hashBytes = 32;

/** One at a time, so that files and names of hosts have the other threads of the pool. */
const mostWaiting = 8;

const hashAsync = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);
const derive = (key: Uint8Array, salt: Uint8Array, name: string) =>
  new Uint8Array(hkdfSync('sha256', key, salt, `clipferry operator ${name}`, hashBytes));

/** Hashes a text, in the thread pool. */
export type SlowHash = (text: string, salt: Uint8Array) => Promise<Uint8Array>;

const slowHash: SlowHash = (text, salt) => hashAsync(text, salt, hashBytes, cost);

/**
 * Hashes the password.
 * @param secret of the site: the salt is made of it, since all instances need the same
 */
export async function openPassword(
  plain: string,
  secret: Uint8Array,
  hash: SlowHash = slowHash,
): Promise<Password> {
  const salt = derive(secret, new Uint8Array(0), 'salt');
  // A phone may write a letter and its accent as two signs.
  const hashOf = (text: string) => hash(text.normalize('NFC'), salt);
  const expected = await hashOf(plain);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    sessionKey: derive(secret, expected, 'sessions'),
    async matches(given) {
      if (waiting >= mostWaiting)
        throw new Failure('overloaded', { retryAfterS: 2, note: 'too many log-ins at once' });
      waiting += 1;
      const hashed = last.then(() => hashOf(given));
      last = hashed.catch(() => null);
      try {
        return timingSafeEqual(await hashed, expected);
      } finally {
        waiting -= 1;
      }
    },
  };
}
