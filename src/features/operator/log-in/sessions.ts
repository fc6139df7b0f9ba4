import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { Operator, Operators } from './operators.ts';

/** A log-in that has not ended. */
export interface Session {
  readonly name: string;
  /** Whose it is, as {@link Operator} has it. */
  readonly operator: string;
  /** Stands in each of its forms. */
  readonly token: string;
}

/** A log-in that has not ended. */
interface OperatorSessionTable {
  /** SHA-256 of its name, in hexadecimal digits. */
  hash: string;
  made_at: number;
  ends_at: number;
  block: string;
  /** Name of the operator; empty where operators have none. */
  operator: Generated<string>;
  /** Differs for each operator's name, password and second factor. */
  credential: Generated<string>;
}

export const sessionMs = 12 * 3_600_000;

const stored = (name: string) => hash('sha256', name);

/** Differs for each name, password and second factor, and says nothing about them. */
export const credentialOf = (key: Uint8Array, { name, hash, codeKey }: Operator): string =>
  createHmac('sha256', key)
    .update(`credential.${name}.${Buffer.from(hash).toString('hex')}.${codeKey}`)
    .digest('base64url');

/** Whether a form has the token of its session. */
export const isToken = ({ token }: Session, given: unknown): boolean =>
  typeof given === 'string' &&
  given.length === token.length &&
  timingSafeEqual(Buffer.from(stored(given)), Buffer.from(stored(token)));

/** Sessions of all instances. */
export type Sessions = ReturnType<typeof createSessions>;

/**
 * A session is a signed cookie, so that a forged one costs no question to the database, and a row, so that one that
 * was ended is over everywhere. Another password or second factor ends those of an operator, and so does a line that
 * is taken out.
 * @param key signs cookies and tokens
 * @param now milliseconds since 1970
 */
export function createSessions(
  database: Kysely<Tables>,
  key: Uint8Array,
  operators: Pick<Operators, 'all'>,
  now: () => number,
) {
  const query = database.$extendTables<{ operator_sessions: OperatorSessionTable }>();
  const names = createSignedNames(key, 'session', now);
  const tokenOf = (name: string) => createHmac('sha256', key).update(`form.${name}`).digest('base64url');
  const credentials = async () => (await operators.all()).map((operator) => credentialOf(key, operator));
  return {
    /** Begins one, under a new name. @param block from where @returns the text of its cookie */
    async begin(block: string, operator: Operator) {
      const { name, endsAt, text } = names.make(sessionMs);
      await query.deleteFrom('operator_sessions').where('ends_at', '<=', now()).execute();
      await query
        .insertInto('operator_sessions')
        .values({
          ...{ hash: stored(name), made_at: now(), ends_at: endsAt, block },
          ...{ operator: operator.name, credential: credentialOf(key, operator) },
        })
        .execute();
      return text;
    },
    /** Finds one whose operator still has the same password and second factor. @param text of the cookie */
    async find(text: string | null) {
      const signed = names.read(text);
      if (signed === null) return null;
      const row = await query
        .selectFrom('operator_sessions')
        .select(['operator', 'credential'])
        .where('hash', '=', stored(signed.name))
        .executeTakeFirst();
      if (row === undefined || !(await credentials()).includes(row.credential)) return null;
      return { name: signed.name, operator: row.operator, token: tokenOf(signed.name) };
    },
    async end({ name }: Session) {
      await query.deleteFrom('operator_sessions').where('hash', '=', stored(name)).execute();
    },
    /** @returns how many there were */
    async endAll() {
      const { numDeletedRows } = await query.deleteFrom('operator_sessions').executeTakeFirst();
      return Number(numDeletedRows);
    },
    /** How many there are. */
    async count() {
      const { number } = await query
        .selectFrom('operator_sessions')
        .select(({ fn }) => fn.countAll<number>().as('number'))
        .where('ends_at', '>', now())
        .where('credential', 'in', await credentials())
        .executeTakeFirstOrThrow();
      return Number(number);
    },
  };
}

const nameBytes = 16;
const form = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{43})$/;

/** Gives random names with a time of their end, in milliseconds since 1970, that nobody else can make. */
export type SignedNames = ReturnType<typeof createSignedNames>;

/**
 * @param key signs them
 * @param kind names of one kind are none of another
 * @param now milliseconds since 1970
 */
export function createSignedNames(key: Uint8Array, kind: string, now: () => number) {
  const signature = (name: string, end: string) =>
    createHmac('sha256', key).update(`${kind}.${name}.${end}`).digest();
  return {
    /** @returns the name, and the text of a cookie that proves it */
    make(lifeMs: number) {
      const name = randomBytes(nameBytes).toString('base64url');
      const endsAt = now() + lifeMs;
      const end = endsAt.toString(36);
      return { name, endsAt, text: `${name}.${end}.${signature(name, end).toString('base64url')}` };
    },
    /** The name that a cookie proves; null for any other text, and after its end. */
    read(text: string | null) {
      const [, name, end, signed] = form.exec(text ?? '') ?? [];
      if (name === undefined || end === undefined || signed === undefined) return null;
      if (!timingSafeEqual(Buffer.from(signed, 'base64url'), signature(name, end))) return null;
      const endsAt = Number.parseInt(end, 36);
      return endsAt > now() ? { name, endsAt } : null;
    },
  };
}
