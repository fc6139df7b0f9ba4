import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import { createSignedNames } from './signed-names.ts';

/** A log-in that has not ended. */
export interface Session {
  readonly name: string;
  /** Stands in each of its forms. */
  readonly token: string;
}

/** Who is logged in, on all instances. */
export interface Sessions {
  /** Begins one, under a new name. @param block from where @returns the text of its cookie */
  begin(block: string): Promise<string>;
  /** @param text of the cookie */
  find(text: string | null): Promise<Session | null>;
  end(session: Session): Promise<void>;
  /** @returns how many there were */
  endAll(): Promise<number>;
  /** How many there are. */
  count(): Promise<number>;
}

export const sessionMs = 12 * 3_600_000;

const stored = (name: string) => hash('sha256', name);

/** Whether a form has the token of its session. */
export const isToken = ({ token }: Session, given: unknown): boolean =>
  typeof given === 'string' &&
  given.length === token.length &&
  timingSafeEqual(Buffer.from(stored(given)), Buffer.from(stored(token)));

/**
 * A session is a signed cookie, so that a forged one costs no question to the database, and a row, so that one that
 * was ended is over everywhere.
 * @param key signs cookies and tokens
 * @param now milliseconds since 1970
 */
export function createSessions(query: Kysely<Tables>, key: Uint8Array, now: () => number): Sessions {
  const names = createSignedNames(key, 'session', now);
  const tokenOf = (name: string) => createHmac('sha256', key).update(`form.${name}`).digest('base64url');
  return {
    async begin(block) {
      const { name, endsAt, text } = names.make(sessionMs);
      await query.deleteFrom('operator_sessions').where('ends_at', '<=', now()).execute();
      await query
        .insertInto('operator_sessions')
        .values({ hash: stored(name), made_at: now(), ends_at: endsAt, block })
        .execute();
      return text;
    },
    async find(text) {
      const signed = names.read(text);
      if (signed === null) return null;
      const row = await query
        .selectFrom('operator_sessions')
        .select('hash')
        .where('hash', '=', stored(signed.name))
        .executeTakeFirst();
      return row === undefined ? null : { name: signed.name, token: tokenOf(signed.name) };
    },
    async end({ name }) {
      await query.deleteFrom('operator_sessions').where('hash', '=', stored(name)).execute();
    },
    async endAll() {
      const { numDeletedRows } = await query.deleteFrom('operator_sessions').executeTakeFirst();
      return Number(numDeletedRows);
    },
    async count() {
      const { number } = await query
        .selectFrom('operator_sessions')
        .select(({ fn }) => fn.countAll<number>().as('number'))
        .where('ends_at', '>', now())
        .executeTakeFirstOrThrow();
      return Number(number);
    },
  };
}
