import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import type { NewPushMessage, Registration } from './contracts.ts';

/** A device subscribed to notifications. */
interface PushSubscriptionTable extends Registration {
  id: Generated<number>;
  made_at: number;
  seen_at: number;
  /** Time of the first failed delivery since the last success; null for none. */
  failing_since: number | null;
}

/** A notification, and how far it has come. */
interface PushMessageTable extends NewPushMessage {
  id: Generated<number>;
  made_at: number;
  /** The last subscription that had its first attempt, by number: sending resumes there. */
  reached: Generated<number>;
  /** The number of the newest subscription when the message was made. */
  last: number;
  /** 0 when nothing is left to send. */
  is_open: Generated<number>;
  sent: Generated<number>;
  gone: Generated<number>;
  given_up: Generated<number>;
}

/** The tables of this feature. */
type PushTables = {
  push_subscriptions: PushSubscriptionTable;
  push_messages: PushMessageTable;
};

/** The database with them. */
export const withPush = (database: Kysely<Tables>) => database.$extendTables<PushTables>();
