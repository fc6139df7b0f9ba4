import type { Generated } from 'kysely';
import type { OutboxColumns } from './outbox-columns.ts';

/** A form of the platform's answers that the program does not know. */
export interface PostShapeTable {
  /** With its platform in front: `tiktok/page`. */
  strategy: string;
  /** `field`, `type`, `value` or `unreadable`. */
  kind: string;
  /** Path of the field, and the value's type or the value. */
  name: string;
  first_seen: number;
  last_seen: number;
  /** Id of a post that has it. */
  example: string;
  /** 1 for what was there already when the site began to look. */
  is_usual: number;
}

/** A running process of the site. Rows of those that are gone are deleted after a day. */
export interface InstanceTable {
  /** Random, another one at each start. */
  id: string;
  started_at: number;
  seen_at: number;
  /** JSON of `InstanceState`. */
  state: string;
}

/** Which process alone does something, and until when. */
export interface LeaseTable {
  name: string;
  owner: string;
  owned_until: number;
}

/** A scheduled backup that has ended. */
export interface BackupTable {
  id: Generated<number>;
  began_at: number;
  ended_at: number;
  /** The archive's name. */
  name: string;
  /** Null where it failed. */
  bytes: number | null;
  /** The reason; null where there is an archive. */
  failure: string | null;
}

/** A trouble that the operator is told of. */
export interface AlarmTable {
  id: Generated<number>;
  /** Name of the condition. */
  condition: string;
  /** Subject of the alarm: a strategy, an instance; empty where there is only one. */
  subject: string;
  /** The latest finding. */
  text: string;
  since: number;
  seen_at: number;
  /** Null until it has lasted long enough to be told. */
  told_at: number | null;
  /** Null while it lasts. */
  ended_at: number | null;
}

/** A message about an alarm, on its way. */
export interface AlarmMessageTable extends OutboxColumns {
  id: Generated<number>;
  alarm_id: number;
  kind: 'begun' | 'over';
  channel: 'webhook' | 'mail';
  made_at: number;
}
