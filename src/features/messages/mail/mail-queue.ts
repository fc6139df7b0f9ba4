import type { ExpressionBuilder, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';

/** A mail that its taker may send. */
export interface QueuedMail {
  /** The id of its message, or of the operator's answer. */
  readonly id: number;
  /** Number of attempts, including this one. */
  readonly mailAttempts: number;
}

/** Mails that wait to be sent, in a table of the database that all instances share. */
export interface MailQueue {
  /**
   * Takes one mail, for as long as `leaseMs`: its taker may send it, nobody else meanwhile.
   * @returns null when no mail is due
   */
  take(leaseMs: number): Promise<QueuedMail | null>;
  /** Milliseconds until the next mail is due; null when none waits. */
  waitFor(): Promise<number | null>;
  /** Marks a mail as sent. */
  markSent(id: number): Promise<void>;
  /** Puts a mail off, or gives it up. */
  putOff(id: number, delayMs: number | null): Promise<void>;
}

/** No mail is postponed for longer: a later time was written by a clock that was ahead, and is due. */
const furthestMs = 2 * 3_600_000;

/**
 * The mail queue in a table whose rows contain the state of their mail.
 * @param name of the table
 * @param now milliseconds since 1970
 */
export function createMailQueue(
  query: Kysely<Tables>,
  name: 'messages' | 'acknowledgements' | 'message_answers',
  now: () => number,
): MailQueue {
  // Cast: Kysely needs one table name; the tables share these columns.
  const table = name as 'messages';
  const isDue = ({ eb, or }: ExpressionBuilder<Tables, 'messages'>) =>
    or([eb('mail_next_at', '<=', now()), eb('mail_next_at', '>', now() + furthestMs)]);
  return {
    async take(leaseMs) {
      const row = await query
        .updateTable(table)
        .set(({ eb }) => ({ mail_next_at: now() + leaseMs, mail_attempts: eb('mail_attempts', '+', 1) }))
        .where('mail_state', '=', 'waiting')
        .where(isDue)
        .where('id', '=', ({ selectFrom }) =>
          selectFrom(table)
            .select('id')
            .where('mail_state', '=', sql.lit('waiting'))
            .where(isDue)
            .orderBy('mail_next_at')
            .limit(1),
        )
        .returning(['id', 'mail_attempts'])
        .executeTakeFirst();
      return row === undefined ? null : { id: row.id, mailAttempts: row.mail_attempts };
    },

    async waitFor() {
      const row = await query
        .selectFrom(table)
        .select('mail_next_at')
        .where('mail_state', '=', sql.lit('waiting'))
        .orderBy('mail_next_at')
        .limit(1)
        .executeTakeFirst();
      const waitMs = row === undefined ? null : row.mail_next_at - now();
      return waitMs === null ? null : waitMs > furthestMs ? 0 : Math.max(0, waitMs);
    },

    async markSent(id) {
      await query
        .updateTable(table)
        .set({ mail_state: 'sent', mailed_at: now() })
        .where('id', '=', id)
        .where('mail_state', '=', 'waiting')
        .execute();
    },

    async putOff(id, delayMs) {
      await query
        .updateTable(table)
        .set(delayMs === null ? { mail_state: 'failed' } : { mail_next_at: now() + delayMs })
        .where('id', '=', id)
        .where('mail_state', '=', 'waiting')
        .execute();
    },
  };
}
