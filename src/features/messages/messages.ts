import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createMailQueue, type MailQueue } from './mail/mail-queue.ts';
import { mailboxOf } from './mail/mailbox.ts';

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

/** Messages are kept before the visitor hears that they were sent, and queued for the mail to the operator. */
export interface Messages extends MailQueue {
  /** @returns the number of the message, once it is safe on the disk */
  keep(message: NewMessage): Promise<number>;
  /** The newest first. */
  list(asked: { limit: number; before?: number }): Promise<readonly Message[]>;
  show(id: number): Promise<Message | null>;
  /** @returns whether there was such a message */
  delete(id: number): Promise<boolean>;
  /** Deletes all messages of a mailbox, however its address is written. @returns how many */
  deleteMailbox(email: string): Promise<number>;
  /** Deletes messages that are older. @returns how many */
  expire(days: number): Promise<number>;
}

const dayMs = 86_400_000;
/** Rows that are looked at in one question. */
const partSize = 500;

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

/** @param now milliseconds since 1970 */
export function createMessages(query: Kysely<Tables>, now: () => number): Messages {
  return {
    ...createMailQueue(query, 'messages', now),

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

    async list({ limit, before }) {
      let rows = query.selectFrom('messages').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) rows = rows.where('id', '<', before);
      return (await rows.execute()).map(toMessage);
    },

    async show(id) {
      const row = await query.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },

    async delete(id) {
      const { numDeletedRows } = await query.deleteFrom('messages').where('id', '=', id).executeTakeFirst();
      return numDeletedRows === 1n;
    },

    async deleteMailbox(email) {
      const mailbox = mailboxOf(email);
      let deleted = 0;
      for (let last = 0; ; ) {
        const rows = await query
          .selectFrom('messages')
          .select(['id', 'email'])
          .where('id', '>', last)
          .orderBy('id')
          .limit(partSize)
          .execute();
        const ids = rows.filter((row) => mailboxOf(row.email) === mailbox).map(({ id }) => id);
        if (ids.length > 0) {
          const { numDeletedRows } = await query
            .deleteFrom('messages')
            .where('id', 'in', ids)
            .executeTakeFirst();
          deleted += Number(numDeletedRows);
        }
        last = rows.at(-1)?.id ?? last;
        if (rows.length < partSize) return deleted;
      }
    },

    async expire(days) {
      const { numDeletedRows } = await query
        .deleteFrom('messages')
        .where('made_at', '<', now() - days * dayMs)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
