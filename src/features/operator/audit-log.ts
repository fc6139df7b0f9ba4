import { hostname } from 'node:os';
import type { Generated, Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../../stores/contracts/database.ts';

export const keptDays = 730;

const dayMs = 86_400_000;
/** Twice the time of the longest action, an import. */
const lostMs = 3_600_000;
/** The text of an action that was lost. */
export const endedWithSite = 'The site ended before this did.';
/** The longest text of an action. */
export const mostLetters = 1000;

/** The operator's actions at the desk. */
interface OperatorLogTable {
  id: Generated<number>;
  /** Milliseconds since 1970. */
  made_at: number;
  /** Name of the machine that did it. */
  instance: string;
  /** `log-in`, or the page and the name of the action. */
  what: string;
  /** Target of the action; may be empty. */
  object: string;
  /** Name of the operator who did it; may be empty. */
  operator: string;
  /** The IPv4 /24 or IPv6 /56 from where. */
  block: string;
  /** `begun` until it ends; `failed` as well when the process ended before the action did. */
  outcome: 'begun' | 'done' | 'refused' | 'failed';
  /** The message that the operator saw. */
  text: string;
}

/** The operator of an action, and the address block. */
export type DoneBy = Pick<OperatorLogTable, 'operator' | 'block'>;

type NewEntry = DoneBy & Pick<OperatorLogTable, 'what' | 'object' | 'outcome' | 'text'>;

/** Every action of the desk, kept for {@link keptDays}. Nothing but age deletes an entry. */
export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * @param logger logs every entry as well, so that a copy is among the program's lines
 * @param now milliseconds since 1970
 */
export function createAuditLog(database: Kysely<Tables>, logger: Pick<Logger, 'info'>, now: () => number) {
  const query = database.$extendTables<{ operator_log: OperatorLogTable }>();
  const instance = hostname();
  const startedAt = now();
  const entries = query
    .selectFrom('operator_log')
    .select(['id', 'made_at as at', 'instance', 'what', 'object', 'operator', 'block', 'outcome', 'text']);
  const say = (
    { what, operator, object, outcome }: Pick<NewEntry, 'object' | 'outcome'> & Partial<NewEntry>,
    id: number,
  ) => logger.info({ entry: id, what, operator, object, outcome }, 'operator');
  return {
    /** @returns the entry's number */
    async add(entry: NewEntry) {
      const { id } = await query
        .insertInto('operator_log')
        .values({ ...entry, text: entry.text.slice(0, mostLetters), instance, made_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      say(entry, id);
      return id;
    },
    /** Completes an entry that was added before its action, also one that was taken for lost. */
    async end(id: number, { object, outcome, text }: Pick<NewEntry, 'object' | 'outcome' | 'text'>) {
      await query
        .updateTable('operator_log')
        .set({ object, outcome, text: text.slice(0, mostLetters) })
        .where('id', '=', id)
        .where('outcome', 'in', ['begun', 'failed'])
        .execute();
      say({ object, outcome }, id);
    },
    /** Marks actions as failed whose process has ended before them. */
    async failLost() {
      await query
        .updateTable('operator_log')
        .set({ outcome: 'failed', text: endedWithSite })
        .where('outcome', '=', 'begun')
        // Another site on this machine may still be at it: its end completes the entry.
        .where(({ and, eb, or }) =>
          or([
            and([eb('instance', '=', instance), eb('made_at', '<', startedAt)]),
            eb('made_at', '<', now() - lostMs),
          ]),
        )
        .execute();
    },
    show: async (id: number) => (await entries.where('id', '=', id).executeTakeFirst()) ?? null,
    /** The newest first. */
    list: ({ limit, before }: { limit: number; before?: number }) =>
      entries
        .$if(before !== undefined, (rows) => rows.where('id', '<', before ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    /** @returns how many were deleted */
    async expire(days: number) {
      const { numDeletedRows } = await query
        .deleteFrom('operator_log')
        .where('made_at', '<', now() - days * dayMs)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
