import { hostname } from 'node:os';
import type { Generated, Kysely, Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../../stores/contracts/database.ts';

/** An action at the desk. */
interface LogEntry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Name of the machine. */
  readonly instance: string;
  /** `log-in`, or the page and the name of the action. */
  readonly what: string;
  readonly object: string;
  /** Name of the operator; empty where operators have none. */
  readonly operator: string;
  /** Address block from where. */
  readonly block: string;
  readonly outcome: 'begun' | 'done' | 'refused' | 'failed';
  readonly text: string;
}

/** The operator of an action, and the address block. */
export type DoneBy = Pick<LogEntry, 'operator' | 'block'>;

type NewEntry = DoneBy & Pick<LogEntry, 'what' | 'object' | 'outcome' | 'text'>;

/** Every action of the desk, kept for {@link keptDays}. Nothing but age deletes an entry. */
export interface AuditLog {
  /** @returns the entry's number */
  add(entry: NewEntry): Promise<number>;
  /** Completes an entry that was added before its action, also one that was taken for lost. */
  end(id: number, how: Pick<NewEntry, 'object' | 'outcome' | 'text'>): Promise<void>;
  show(id: number): Promise<LogEntry | null>;
  /** The newest first. */
  list(asked: { limit: number; before?: number }): Promise<readonly LogEntry[]>;
  /** Marks actions as failed whose process has ended before them. */
  failLost(): Promise<void>;
  /** @returns how many were deleted */
  expire(days: number): Promise<number>;
}

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

const entryOf = ({ made_at: at, ...row }: Selectable<OperatorLogTable>): LogEntry => ({ ...row, at });

/**
 * @param logger logs every entry as well, so that a copy is among the program's lines
 * @param now milliseconds since 1970
 */
export function createAuditLog(
  database: Kysely<Tables>,
  logger: Pick<Logger, 'info'>,
  now: () => number,
): AuditLog {
  const query = database.$extendTables<{ operator_log: OperatorLogTable }>();
  const instance = hostname();
  const startedAt = now();
  const say = (
    { what, operator, object, outcome }: Pick<NewEntry, 'object' | 'outcome'> & Partial<NewEntry>,
    id: number,
  ) => logger.info({ entry: id, what, operator, object, outcome }, 'operator');
  return {
    async add(entry) {
      const { id } = await query
        .insertInto('operator_log')
        .values({ ...entry, text: entry.text.slice(0, mostLetters), instance, made_at: now() })
        .returning('id')
        .executeTakeFirstOrThrow();
      say(entry, id);
      return id;
    },
    async end(id, { object, outcome, text }) {
      await query
        .updateTable('operator_log')
        .set({ object, outcome, text: text.slice(0, mostLetters) })
        .where('id', '=', id)
        .where('outcome', 'in', ['begun', 'failed'])
        .execute();
      say({ object, outcome }, id);
    },
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
    async show(id) {
      const row = await query.selectFrom('operator_log').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : entryOf(row);
    },
    async list({ limit, before }) {
      let rows = query.selectFrom('operator_log').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) rows = rows.where('id', '<', before);
      return (await rows.execute()).map(entryOf);
    },
    async expire(days) {
      const { numDeletedRows } = await query
        .deleteFrom('operator_log')
        .where('made_at', '<', now() - days * dayMs)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
