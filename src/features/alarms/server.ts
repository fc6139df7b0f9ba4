import { Counter } from 'prom-client';
import type { Core, FailedStart, FeatureServer } from '../../server/feature.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { createAlarmStore } from './alarm-store.ts';
import { conditions } from './conditions/conditions.ts';
import { createSiteReader } from './read-site.ts';
import { openSiteSenders } from './senders.ts';
import { createWatch } from './watch.ts';
import { takeOverFailedStarts, tellOfFailedStart } from './without-database.ts';

const lookMs = 15_000;

/** Notifies the operator of a failed start. */
export async function reportFailedStart(start: FailedStart): Promise<void> {
  const senders = await openSiteSenders(start);
  try {
    await tellOfFailedStart(start, senders.byChannel, Date.now());
  } finally {
    await senders.close();
  }
}

/** Opens the alarm watcher and its senders. */
export async function openAlarms(core: Core): Promise<FeatureServer> {
  const { environment, metrics, logger } = core;
  const { query } = core.database;
  const senders = await openSiteSenders(core);
  const messages = new Counter({
    name: 'clipferry_alarm_messages_total',
    help: 'Messages about alarms: sent, failed (another attempt follows), or given up.',
    labelNames: ['channel', 'result'],
    registers: [metrics],
  });
  const store = createAlarmStore(query, Date.now);
  const watch = createWatch({
    conditions,
    read: createSiteReader(query, Date.now),
    readSelf: core.instanceState,
    store,
    leases: createLeases(query, Date.now),
    senders: senders.byChannel,
    observer: {
      sent({ id, channel, kind, alarm }) {
        messages.inc({ channel, result: 'sent' });
        logger.info(
          { alarm: alarm.id, condition: alarm.condition, text: alarm.text, message: id, channel, kind },
          'alarm sent',
        );
      },
      failed({ id, channel, kind, alarm }, error, givenUp) {
        messages.inc({ channel, result: givenUp ? 'given_up' : 'failed' });
        logger.warn({ err: error, alarm: alarm.id, message: id, channel, kind, givenUp }, 'alarm not sent');
      },
      databaseFailed: (error) =>
        logger.error({ err: error }, 'alarms cannot be stored: this instance sends them from memory'),
    },
    now: Date.now,
  });
  const onError = (error: unknown) => logger.error({ err: error }, 'alarms could not be looked for');
  let running = takeOverFailedStarts(environment.DATA_DIR, store).catch(onError);
  const timer = setInterval(() => {
    running = running.then(watch.look).catch(onError);
  }, lookMs);
  timer.unref();
  return {
    desk: async () => [(await import('./desk/page.ts')).alarmsPage(store, senders.byChannel)],
    async close() {
      clearInterval(timer);
      await running;
      await watch.end().catch(onError);
      await senders.close();
    },
  };
}
