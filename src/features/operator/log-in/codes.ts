import type { Kysely } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Tables } from '../../../stores/contracts/database.ts';

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
