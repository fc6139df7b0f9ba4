import type { Generated, Kysely, Selectable } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { createOutbox, type OutboxColumns } from '../../stores/shared-work/outbox.ts';
import { referenceOf } from './reference.ts';

/**
 * A visitor's message to the operator, and its mail. `unwanted` messages were caught by the bot trap; they are stored, but
 * not mailed.
 */
interface MessageTable extends OutboxColumns<'unwanted'> {
  id: Generated<number>;
  /** The form: `contact` or `dmca`. */
  form: string;
  locale: string;
  name: string;
  email: string;
  subject: string;
  /** JSON: every field of the form by its name. */
  fields: string;
  made_at: number;
}

/** A mail to a visitor that says that a message arrived. Rows live a day. */
interface AcknowledgementTable extends OutboxColumns {
  /** The message's id. */
  id: number;
  /** The visitor's address, normalised so that it identifies a mailbox; unique. */
  mailbox: string;
  made_at: number;
}

/** The operator's replies to a message, and their mail. Deleted with the message. */
interface MessageAnswerTable extends OutboxColumns {
  id: Generated<number>;
  message_id: number;
  text: string;
  made_at: number;
}

/** The tables of this feature. */
type MessageTables = {
  messages: MessageTable;
  acknowledgements: AcknowledgementTable;
  message_answers: MessageAnswerTable;
};

/** The database with them. */
export const withMessages = (database: Kysely<Tables>) => database.$extendTables<MessageTables>();

/** Two names of one service, which takes no notice of dots (https://support.google.com/mail/answer/7436150). */
const gmail = /^@(?:gmail|googlemail)\.com$/;

/**
 * Normalises addresses so that those of one mailbox are equal, as far as known: ignores case and a suffix after a plus,
 * and dots for hosts that ignore them.
 */
export function mailboxOf(email: string): string {
  const [, name = '', host = ''] = /^([^+]*).*(@.*)$/s.exec(email.trim().toLowerCase()) ?? [];
  return gmail.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : name + host;
}

/** A stored message. */
export type Message = ReturnType<typeof toMessage>;

/** A visitor's message, checked. */
type NewMessage = Pick<Message, 'form' | 'locale' | 'name' | 'email' | 'subject' | 'fields' | 'unwanted'>;

const dayMs = 86_400_000;
/** For as long as somebody may ask in court what was done about a notice. */
export const noticesKeptYears = 10;
/** Rows of one query. */
const partSize = 500;

function toMessage(row: Selectable<MessageTable>) {
  return {
    id: row.id,
    /** Its name for the writer. */
    reference: referenceOf(row.id, row.made_at),
    form: row.form,
    locale: row.locale,
    name: row.name,
    email: row.email,
    subject: row.subject,
    fields: JSON.parse(row.fields) as Readonly<Record<string, string>>,
    /** A program's message is stored, and not mailed. */
    unwanted: row.state === 'unwanted',
    madeAt: row.made_at,
    mailState: row.state,
    mailAttempts: row.attempts,
    mailedAt: row.sent_at,
  };
}

/** Id, time and address of all messages, in pages: the reference is computed, so SQL cannot search it. */
async function* inParts(query: ReturnType<typeof withMessages>) {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const rows: Pick<Selectable<MessageTable>, 'id' | 'made_at' | 'email'>[] = await query
      .selectFrom('messages')
      .select(['id', 'made_at', 'email'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(partSize)
      .execute();
    yield rows;
    last = rows.length < partSize ? undefined : rows.at(-1)?.id;
  }
}

/** Messages are stored before the visitor sees a confirmation, and queued for the mail to the operator. */
export type Messages = ReturnType<typeof createMessages>;

/** @param now milliseconds since 1970 */
export function createMessages(database: Kysely<Tables>, now: () => number) {
  const query = withMessages(database);
  return {
    ...createOutbox(database, 'messages', now),

    /** @returns what the message is known by, once it is safe on the disk */
    async keep({ fields, unwanted, ...message }: NewMessage) {
      const madeAt = now();
      const { id } = await query
        .insertInto('messages')
        .values({
          ...message,
          fields: JSON.stringify(fields),
          made_at: madeAt,
          state: unwanted ? 'unwanted' : 'waiting',
          next_at: madeAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, reference: referenceOf(id, madeAt) };
    },

    /** The newest first. */
    async list({ limit, before }: { limit: number; before?: number }) {
      let rows = query.selectFrom('messages').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) rows = rows.where('id', '<', before);
      return (await rows.execute()).map(toMessage);
    },

    async show(id: number) {
      const row = await query.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toMessage(row);
    },

    /** The number of the message with a reference; null when there is none. */
    async find(reference: string) {
      for await (const rows of inParts(query))
        for (const { id, made_at } of rows) if (referenceOf(id, made_at) === reference) return id;
      return null;
    },

    /** @returns whether there was such a message */
    async delete(id: number) {
      const { numDeletedRows } = await query.deleteFrom('messages').where('id', '=', id).executeTakeFirst();
      return numDeletedRows === 1n;
    },

    /** Deletes all messages of a mailbox, however its address is written. @returns how many */
    async deleteMailbox(email: string) {
      const mailbox = mailboxOf(email);
      let deleted = 0;
      for await (const rows of inParts(query)) {
        const ids = rows.filter((row) => mailboxOf(row.email) === mailbox).map(({ id }) => id);
        if (ids.length === 0) continue;
        const removal = query.deleteFrom('messages').where('id', 'in', ids);
        deleted += Number((await removal.executeTakeFirst()).numDeletedRows);
      }
      return deleted;
    },

    /** Deletes messages that are older; copyright notices after {@link noticesKeptYears}. @returns how many */
    async expire(days: number) {
      const { numDeletedRows } = await query
        .deleteFrom('messages')
        .where('made_at', '<', now() - days * dayMs)
        .where((is) =>
          is.or([
            is('form', '!=', 'dmca'),
            is('state', '=', 'unwanted'),
            is('made_at', '<', now() - noticesKeptYears * 366 * dayMs),
          ]),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
