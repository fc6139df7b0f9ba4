import type { Generated, Kysely } from 'kysely';
import type { Tables } from '../../stores/contracts/database.ts';
import { type Claimed, createOutbox, type OutboxColumns } from '../../stores/shared-work/outbox.ts';
import type { Trouble } from './conditions/conditions.ts';

export type Channel = 'webhook' | 'mail';

/** A trouble that the operator is told of. */
interface AlarmTable {
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
interface AlarmMessageTable extends OutboxColumns {
  id: Generated<number>;
  alarm_id: number;
  kind: 'begun' | 'over';
  channel: Channel;
  made_at: number;
}

/** The database with the tables of this feature. */
const withAlarms = (database: Kysely<Tables>) =>
  database.$extendTables<{ alarms: AlarmTable; alarm_messages: AlarmMessageTable }>();

/** A trouble, from when it was first seen until it is over. Times are milliseconds since 1970. */
export interface Alarm extends Trouble {
  readonly id: number;
  /** Name of its condition. */
  readonly condition: string;
  readonly since: number;
  readonly seenAt: number;
  /** Null before it has lasted long enough to be told. */
  readonly notifiedAt: number | null;
  /** Null while it lasts. */
  readonly endedAt: number | null;
}

/** A message that waits. */
export interface AlarmMessage extends Claimed {
  readonly kind: 'begun' | 'over';
  readonly channel: Channel;
  readonly madeAt: number;
  readonly alarm: Alarm;
}

/** Sends a message by one channel. @throws Error when it was not taken */
export type SendAlarm = (message: AlarmMessage) => Promise<void>;

/** Tells a trouble from all others. */
export const keyOf = (condition: string, subject: string): string => `${condition} ${subject}`;

/** Alarms, from when a trouble is seen until it is over. */
export interface JudgedAlarms {
  /** Alarms that are not over, also those that nobody was told of yet. */
  lasting(): Promise<readonly Alarm[]>;
  see(condition: string, trouble: Trouble): Promise<void>;
  seeAgain(id: number, trouble: Trouble): Promise<void>;
  /** It was over before anybody was told. */
  forget(id: number): Promise<void>;
  /** Marks it as told, or as over, and queues the messages that say so, all at once. */
  notify(id: number, channels: readonly Channel[]): Promise<void>;
  end(id: number, channels: readonly Channel[]): Promise<void>;
}

/** A message that nobody has taken yet. */
type WaitingMessage = Pick<AlarmMessage, 'kind' | 'channel' | 'madeAt'>;

const keptMs = 396 * 86_400_000;

const columns = [
  ...(['alarms.id', 'condition', 'subject', 'text', 'since'] as const),
  ...(['seen_at as seenAt', 'told_at as notifiedAt', 'ended_at as endedAt'] as const),
] as const;

function createAlarmMessages(database: Kysely<Tables>, now: () => number) {
  const query = withAlarms(database);
  const outbox = createOutbox(database, 'alarm_messages', now, 'channel');
  return {
    ...outbox,
    async claim() {
      const claimed = await outbox.claim();
      if (claimed === null) return null;
      const { kind, channel, made_at, ...alarm } = await query
        .selectFrom('alarm_messages')
        .innerJoin('alarms', 'alarms.id', 'alarm_messages.alarm_id')
        .select(columns)
        .select(['kind', 'channel', 'made_at'])
        .where('alarm_messages.id', '=', claimed.id)
        .executeTakeFirstOrThrow();
      return { ...claimed, kind, channel, madeAt: made_at, alarm };
    },
    /** How many messages were tried, and are not sent. */
    async waitingMessages() {
      const { count } = await query
        .selectFrom('alarm_messages')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'waiting')
        .where('attempts', '>', 0)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** Alarms and their messages, of all instances together: those of a channel are sent in their order. */
export type AlarmStore = ReturnType<typeof createAlarmStore>;

/** @param now milliseconds since 1970 */
export function createAlarmStore(database: Kysely<Tables>, now: () => number) {
  const query = withAlarms(database);
  async function addMessages(
    transaction: typeof query,
    id: number,
    messages: readonly WaitingMessage[],
  ): Promise<void> {
    const rows = messages.map(({ kind, channel, madeAt }) => ({
      ...{ alarm_id: id, kind, channel, made_at: madeAt },
      ...({ state: 'waiting', attempts: 0, next_at: now() } as const),
    }));
    if (rows.length > 0) await transaction.insertInto('alarm_messages').values(rows).execute();
  }

  const change = (id: number, column: 'told_at' | 'ended_at', channels: readonly Channel[]) =>
    query.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('alarms')
        .set({ [column]: now() })
        .where('id', '=', id)
        .where(column, 'is', null)
        .executeTakeFirst();
      // Another instance has done it.
      if (numUpdatedRows !== 1n) return;
      const kind = column === 'told_at' ? 'begun' : 'over';
      const made = channels.map((channel) => ({ kind, channel, madeAt: now() }) as const);
      await addMessages(transaction, id, made);
    });

  const judged: JudgedAlarms = {
    lasting: () =>
      query.selectFrom('alarms').select(columns).where('ended_at', 'is', null).orderBy('id').execute(),
    async see(condition, { subject, text }) {
      await query
        .insertInto('alarms')
        .values({ condition, subject, text, since: now(), seen_at: now(), told_at: null, ended_at: null })
        .execute();
    },
    async seeAgain(id, { text }) {
      await query.updateTable('alarms').set({ text, seen_at: now() }).where('id', '=', id).execute();
    },
    async forget(id) {
      await query.deleteFrom('alarms').where('id', '=', id).where('told_at', 'is', null).execute();
    },
    notify: (id, channels) => change(id, 'told_at', channels),
    end: (id, channels) => change(id, 'ended_at', channels),
  };
  return {
    ...judged,
    ...createAlarmMessages(database, now),
    /** Alarms that were told, the newest first. */
    notified: (limit: number) =>
      query
        .selectFrom('alarms')
        .select(columns)
        .where('told_at', 'is not', null)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    /** Keeps an alarm that was told while the database was away, unless the same one lasts. */
    adopt: (alarm: Omit<Alarm, 'id'>, waiting: readonly WaitingMessage[]) =>
      query.transaction().execute(async (transaction) => {
        const { condition, subject, text, since, seenAt, notifiedAt, endedAt } = alarm;
        const same = await transaction
          .selectFrom('alarms')
          .select(['id', 'told_at'])
          .where('condition', '=', condition)
          .where('subject', '=', subject)
          .where('ended_at', 'is', null)
          .executeTakeFirst();
        if (same !== undefined && same.told_at !== null) return;
        if (same !== undefined) await transaction.deleteFrom('alarms').where('id', '=', same.id).execute();
        const { id } = await transaction
          .insertInto('alarms')
          .values({
            ...{ condition, subject, text, since },
            ...{ seen_at: seenAt, told_at: notifiedAt, ended_at: endedAt },
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await addMessages(transaction, id, waiting);
      }),
    /** Deletes alarms that ended long ago. */
    async expire() {
      const old = now() - keptMs;
      await query.deleteFrom('alarm_messages').where('made_at', '<', old).execute();
      await query.deleteFrom('alarms').where('ended_at', '<', old).execute();
    },
  };
}
