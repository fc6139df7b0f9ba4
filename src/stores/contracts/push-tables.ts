import type { Generated } from 'kysely';

/** A device that wants notifications. */
export interface PushSubscriptionTable {
  id: Generated<number>;
  /** Where the browser's push service takes messages for it. */
  endpoint: string;
  /** Of RFC 8291, base64url. */
  auth: string;
  pdhkey: string;
  language: string;
  /** Seconds by which the visitor's clock is ahead of UTC. */
  diff_time: number;
  device_model: string;
  app_id: string;
  explorer: string;
  explorer_version: string;
  made_at: number;
  seen_at: number;
  /** When the first of all notifications since the last one that was taken could not be delivered; null for none. */
  failing_since: number | null;
}

/** A notification, and how far it has come. */
export interface PushMessageTable {
  id: Generated<number>;
  title: string;
  body: string;
  url: string;
  /** Null for subscribers of all languages. */
  language: string | null;
  made_at: number;
  /** The number of the last subscription that had its first try: where sending goes on. */
  reached: Generated<number>;
  /** The number of the newest subscription when the message was made. */
  last: number;
  /** 0 when nothing of it is left to send. */
  is_open: Generated<number>;
  /** Who sends it now, and for how long nobody else may. */
  owner: string | null;
  owned_until: Generated<number>;
  sent: Generated<number>;
  gone: Generated<number>;
  given_up: Generated<number>;
}
