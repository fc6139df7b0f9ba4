import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../stores/contracts/database.ts';
import { type PushFigures, readPushFigures } from './figures.ts';

/** Exposes the results of notifications, whichever process has sent them: each scrape queries the database. */
export function watchPush({ query }: Pick<Database, 'query'>, metrics: Registry, logger: Logger): void {
  const registers = [metrics];
  // One query for all: prom-client reads its metrics at the same time.
  let asked: Promise<PushFigures | null> | null = null;
  const read = () => {
    asked ??= readPushFigures(query)
      .catch((error: unknown) => {
        logger.error({ err: error }, 'notifications could not be counted');
        return null;
      })
      .finally(() => {
        asked = null;
      });
    return asked;
  };

  new Gauge({
    name: 'clipferry_push_subscriptions',
    help: 'Devices that want notifications; the same on every instance.',
    registers,
    async collect() {
      const known = await read();
      if (known !== null) this.set(known.subscriptions);
    },
  });
  new Gauge({
    name: 'clipferry_push_queued',
    help: 'Notifications that were not tried yet; the same on every instance.',
    registers,
    async collect() {
      const known = await read();
      if (known !== null) this.set(known.queued);
    },
  });
  new Counter({
    name: 'clipferry_push_notifications_total',
    help: 'Notifications by what became of them: sent, gone (the subscription had ended), or refused, also after several tries; the same on every instance.',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const known = await read();
      if (known === null) return;
      this.reset();
      this.inc({ outcome: 'sent' }, known.sent);
      this.inc({ outcome: 'gone' }, known.gone);
      this.inc({ outcome: 'refused' }, known.givenUp);
    },
  });
}
