import { hkdfSync, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { Failure } from '../../../failures/failures.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Operator } from './operators.ts';

/** RFC 7914: 32 MB and about a tenth of a second for each. `operators.ts` names it in the file's lines. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } satisfies ScryptOptions;
const hashBytes = 32;

/** One at a time, so that files and names of hosts have the other threads of the pool. */
const mostWaiting = 8;

const hashAsync = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);

/** Derives a key of the desk from the site's secret. */
export const deskKey = (secret: Uint8Array, name: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `clipferry operator ${name}`, hashBytes));

/** Hashes a text, in the thread pool. */
export type SlowHash = (text: string, salt: Uint8Array) => Promise<Uint8Array>;

/** Hashes a password. */
// A phone may write a letter and its accent as two signs.
export const hashPassword: SlowHash = (text, salt) => hashAsync(text.normalize('NFC'), salt, hashBytes, cost);

/** The operator of a site with one password. @param secret of the site: all instances need the same salt */
export async function operatorWith(
  password: string,
  secret: Uint8Array,
  hash: SlowHash = hashPassword,
): Promise<Operator> {
  const salt = deskKey(secret, 'salt');
  return { name: '', salt, hash: await hash(password, salt), codeKey: null };
}

/** Compares a text with an operator's password. @throws Failure `overloaded` when too many are compared */
export type MatchPassword = (operator: Operator | null, given: string) => Promise<boolean>;

const nobody = { salt: new Uint8Array(16), hash: new Uint8Array(hashBytes) };

/** Makes a comparison that takes the same time for every text, also where there is no such operator. */
export function createPasswordMatch(hash: SlowHash = hashPassword): MatchPassword {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (operator, given) => {
    if (waiting >= mostWaiting)
      throw new Failure('overloaded', { retryAfterS: 2, note: 'too many log-ins at once' });
    waiting += 1;
    const expected = operator ?? nobody;
    const hashed = last.then(() => hash(given, expected.salt));
    last = hashed.catch(() => null);
    try {
      return timingSafeEqual(await hashed, expected.hash) && operator !== null;
    } finally {
      waiting -= 1;
    }
  };
}

/** The step of the newest code that an operator has logged in with. */
interface OperatorCodeTable {
  operator: string;
  /** Periods of 30 s since 1970 (RFC 6238). */
  step: number;
}

/** RFC 4226 asks for at least 128 bits, and recommends these. */
const keyBytes = 20;
const stepMs = 30_000;
/** Steps that a phone's clock may be behind or ahead. */
const drift = 1;

/** Makes the key of a second factor, in base32. */
export const newCodeKey = (): string => new Secret({ size: keyBytes }).base32;

/** The address that authenticator apps read. @param issuer the site's name */
export const codeAddress = (issuer: string, name: string, codeKey: string): string =>
  new TOTP({ issuer, label: name, secret: codeKey }).toString();

/** Codes of second factors (RFC 6238). */
export type Codes = ReturnType<typeof createCodes>;

/** @param now milliseconds since 1970 */
export function createCodes(database: Kysely<Tables>, now: () => number) {
  const query = database.$extendTables<{ operator_codes: OperatorCodeTable }>();
  return {
    /** Takes a code: each once on all instances, and none that is older than one that was taken. */
    async take(operator: string, codeKey: string, code: string) {
      const timestamp = now();
      const token = code.replaceAll(/\s/g, '');
      const delta = new TOTP({ secret: codeKey }).validate({ token, timestamp, window: drift });
      if (delta === null) return false;
      const step = Math.floor(timestamp / stepMs) + delta;
      const taken = await query
        .insertInto('operator_codes')
        .values({ operator, step })
        .onConflict((conflict) =>
          conflict.column('operator').doUpdateSet({ step }).where('operator_codes.step', '<', step),
        )
        .returning('step')
        .executeTakeFirst();
      return taken !== undefined;
    },
  };
}
