import type { Generated } from 'kysely';

/** A visitor's message to the operator. */
export interface MessageTable {
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
  /** `unwanted` messages were caught by the bot trap; they are stored, but not mailed. */
  mail_state: 'waiting' | 'sent' | 'failed' | 'unwanted';
  mail_attempts: Generated<number>;
  /** When the next attempt may be made. */
  mail_next_at: number;
  mailed_at: number | null;
}

/** A mail to a visitor that says that a message arrived. Rows live a day. */
export interface AcknowledgementTable {
  /** The message's id. */
  id: number;
  /** The visitor's address, normalised so that it identifies a mailbox; unique. */
  mailbox: string;
  made_at: number;
  mail_state: 'waiting' | 'sent' | 'failed';
  mail_attempts: Generated<number>;
  /** When the next attempt may be made. */
  mail_next_at: number;
  mailed_at: number | null;
}

/** The operator's replies to a message, and their mail. Deleted with the message. */
export interface MessageAnswerTable {
  id: Generated<number>;
  message_id: number;
  text: string;
  made_at: number;
  mail_state: 'waiting' | 'sent' | 'failed';
  mail_attempts: Generated<number>;
  /** When the next attempt may be made. */
  mail_next_at: number;
  mailed_at: number | null;
}
