import type { ExpressionBuilder, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../../../stores/contracts/database.ts';

/** A mail that its taker may send. */
export interface QueuedMail {
  /** Of the message that it is about, or of the operator's answer. */
  readonly id: number;
  /** How often it was taken, this time included. */
  readonly mailAttempts: number;
}

/** Mails that wait to be sent, in a table of the database that all instances share. */
export interface MailQueue {
  /**
   * Takes one mail, for as long as `leaseMs`: whoever takes it may send it, nobody else meanwhile.
   * @returns null when there is nothing to mail at this time
   */
  take(leaseMs: number): Promise<QueuedMail | null>;
  /** Milliseconds until the next mail may be sent; null when none waits. */
  waitFor(): Promise<number | null>;
  /** Marks a mail as sent. */
  markSent(id: number): Promise<void>;
  /** Puts a mail off, or gives it up. */
  putOff(id: number, delayMs: number | null): Promise<void>;
}

/** No mail is put off for longer: what lies further ahead was written while the clock was, and is due. */
const furthestMs = 2 * 3_600_000;

/**
 * The queue in a table that says of each row how its mail stands.
 * @param name of the table
 * @param now milliseconds since 1970
 */
export function createMailQueue(
  query: Kysely<Tables>,
  name: 'messages' | 'acknowledgements' | 'message_answers',
  now: () => number,
): MailQueue {
  // All these tables have the columns that are used here, under the same names; the compiler needs to hear of one only.
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
