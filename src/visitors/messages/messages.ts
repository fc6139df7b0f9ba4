import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';

/** What a visitor wrote, checked. */
interface NewMessage {
  /** `contact` or `dmca`. */
  readonly form: string;
  readonly locale: string;
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  /** Every field of the form by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** True for one that a program wrote; it is kept, and not mailed. */
  readonly unwanted: boolean;
}

/** A message as it is kept. */
export interface Message extends NewMessage {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly mailState: 'waiting' | 'sent' | 'failed' | 'unwanted';
  readonly mailAttempts: number;
  readonly mailedAt: number | null;
}

/** Messages are kept before the visitor hears that they were sent. */
export interface Messages {
  /** @returns the number of the message, once it is safe on the disk */
  keep(message: NewMessage): Promise<number>;
  /**
   * Takes one message to mail, for as long as `leaseMs`: whoever takes it may send it, nobody else meanwhile.
   * @returns null when there is nothing to mail at this time
   */
  take(leaseMs: number): Promise<Message | null>;
  /** Milliseconds until the next message may be mailed; null when none waits. */
  waitFor(): Promise<number | null>;
  /** Marks a message as mailed. */
  markSent(id: number): Promise<void>;
  /** Puts a message off, or gives it up. */
  putOff(id: number, delayMs: number | null): Promise<void>;
  /** The newest first. */
  list(asked: { limit: number; before?: number }): Promise<readonly Message[]>;
  show(id: number): Promise<Message | null>;
}

function toMessage(row: Selectable<Tables['messages']>): Message {
  return {
    id: row.id,
    form: row.form,
    locale: row.locale,
    name: row.name,
    email: row.email,
    subject: row.subject,
    fields: JSON.parse(row.fields) as Message['fields'],
    unwanted: row.mail_state === 'unwanted',
    madeAt: row.made_at,
    mailState: row.mail_state,
    mailAttempts: row.mail_attempts,
    mailedAt: row.mailed_at,
  };
}

/** No message is put off for longer: what lies further ahead was written while the clock was, and is due. */
const furthestMs = 2 * 3_600_000;

/** @param now milliseconds since 1970 */
export function createMessages(query: Kysely<Tables>, now: () => number): Messages {
  const isDue = ({ eb, or }: ExpressionBuilder<Tables, 'messages'>) =>
    or([eb('mail_next_at', '<=', now()), eb('mail_next_at', '>', now() + furthestMs)]);
  return {
    async keep({ form, locale, name, email, subject, fields, unwanted }) {
      const { id } = await query
        .insertInto('messages')
        .values({
          form,
          locale,
          name,
          email,
          subject,
          fields: JSON.stringify(fields),
          made_at: now(),
          mail_state: unwanted ? 'unwanted' : 'waiting',
          mail_next_at: now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async take(leaseMs) {
      const row = await query
        .updateTable('messages')
        .set(({ eb }) => ({ mail_next_at: now() + leaseMs, mail_attempts: eb('mail_attempts', '+', 1) }))
        .where('mail_state', '=', 'waiting')
        .where(isDue)
        .where('id', '=', ({ selectFrom }) =>
          selectFrom('messages')
            .select('id')
            .where('mail_state', '=', sql.lit('waiting'))
            .where(isDue)
            .orderBy('mail_next_at')
            .limit(1),
        )
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },

    async waitFor() {
      const row = await query
        .selectFrom('messages')
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
        .updateTable('messages')
        .set({ mail_state: 'sent', mailed_at: now() })
        .where('id', '=', id)
        .where('mail_state', '=', 'waiting')
        .execute();
    },

    async putOff(id, delayMs) {
      await query
        .updateTable('messages')
        .set(delayMs === null ? { mail_state: 'failed' } : { mail_next_at: now() + delayMs })
        .where('id', '=', id)
        .where('mail_state', '=', 'waiting')
        .execute();
    },

    async list({ limit, before }) {
      let rows = query.selectFrom('messages').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) rows = rows.where('id', '<', before);
      return (await rows.execute()).map(toMessage);
    },

    async show(id) {
      const row = await query.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },
  };
}
