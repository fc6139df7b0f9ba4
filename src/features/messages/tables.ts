import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { OutboxColumns } from '../../stores/shared-work/outbox.ts';

/**
 * A visitor's message to the operator, and its mail. `unwanted` messages were caught by the bot trap; they are stored, but
 * not mailed.
 */
export interface MessageTable extends OutboxColumns<'unwanted'> {
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
