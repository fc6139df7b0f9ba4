import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Tables } from '../../stores/contracts/database.ts';
import { withPush } from './push-store.ts';

/** Subscribers of open messages that lie behind what their message has reached. */
const untried = (query: ReturnType<typeof withPush>) =>
  query
    .selectFrom('push_messages')
    .innerJoin('push_subscriptions', (join) =>
      join
        .onRef('push_subscriptions.id', '>', 'push_messages.reached')
        .onRef('push_subscriptions.id', '<=', 'push_messages.last'),
    )
    .where('is_open', '=', sql.lit(1))
    .where(({ eb, or, ref }) =>
      or([
        eb('push_messages.language', 'is', null),
        eb('push_messages.language', '=', ref('push_subscriptions.language')),
      ]),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('total'));

/** Numbers of devices and of notifications, of all messages there ever were, whichever process has sent them. */
export async function readPushFigures(database: Kysely<Tables>) {
  const query = withPush(database);
  const first = await untried(query).executeTakeFirstOrThrow();
  const devices = await query
    .selectFrom('push_subscriptions')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const done = await query
    .selectFrom('push_messages')
    .select(({ fn }) => [
      fn.sum<number | string | null>('sent').as('sent'),
      fn.sum<number | string | null>('gone').as('gone'),
      fn.sum<number | string | null>('given_up').as('givenUp'),
    ])
    .executeTakeFirstOrThrow();
  return {
    subscriptions: Number(devices.total),
    /** Not yet attempted. */
    queued: Number(first.total),
    sent: Number(done.sent),
    gone: Number(done.gone),
    givenUp: Number(done.givenUp),
  };
}

type PushFigures = Awaited<ReturnType<typeof readPushFigures>>;

const gauges = [
  ['subscriptions', 'Devices that want notifications; the same on every instance.'],
  ['queued', 'Notifications that were not tried yet; the same on every instance.'],
] as const;

/** Exposes the results of notifications: each scrape queries the database. */
export function watchPush(query: Kysely<Tables>, metrics: Registry, logger: Logger): void {
  const registers = [metrics];
  // One query for all: prom-client reads its metrics at the same time.
  let asked: Promise<PushFigures | null> | null = null;
  const read = () =>
    readPushFigures(query).catch((error: unknown) => {
      logger.error({ err: error }, 'notifications could not be counted');
      return null;
    });
  async function show(task: (known: PushFigures) => void): Promise<void> {
    asked ??= read();
    const known = await asked;
    asked = null;
    if (known !== null) task(known);
  }

  for (const [name, help] of gauges)
    new Gauge({
      name: `clipferry_push_${name}`,
      ...{ help, registers },
      collect() {
        return show((known) => this.set(known[name]));
      },
    });
  new Counter({
    name: 'clipferry_push_notifications_total',
    help: 'Notifications by what became of them: sent, gone (the subscription had ended), or refused, also after several tries; the same on every instance.',
    labelNames: ['outcome'],
    registers,
    collect() {
      return show(({ sent, gone, givenUp }) => {
        this.reset();
        this.inc({ outcome: 'sent' }, sent);
        this.inc({ outcome: 'gone' }, gone);
        this.inc({ outcome: 'refused' }, givenUp);
      });
    },
  });
}
