import type { Action, DeskPage } from '../../../server/desk/desk-page.ts';
import type { AlarmStore } from '../alarm-store.ts';
import { runbookOf } from '../conditions/runbooks.ts';
import { type Senders, tryChannels } from '../senders.ts';

const shown = 50;

/** Alarms; each condition has a page with its runbook. */
export function alarmsPage(
  store: Pick<AlarmStore, 'notified' | 'waitingMessages'>,
  byChannel: Senders['byChannel'],
) {
  const test: Action = async () => {
    const tried = await tryChannels(byChannel, Date.now());
    return {
      outcome: tried.every(({ failure }) => failure === null) ? 'done' : 'failed',
      object: 'test',
      text: tried
        .map(({ channel, failure }) =>
          failure === null ? `The ${channel} took a test message.` : `The ${channel} took none: ${failure}.`,
        )
        .join(' '),
    };
  };

  return {
    name: 'alarms',
    section: 'Desk',
    title: 'Alarms',
    hasParts: true,
    async load({ parts: [name, ...more] }) {
      const runbook = name === undefined ? null : runbookOf(name);
      if (more.length > 0 || (name !== undefined && runbook === null)) return null;
      const told = await store.notified(shown);
      return {
        runbook,
        alarms: told
          .filter(({ condition }) => name === undefined || condition === name)
          .map((alarm) => ({ ...alarm, title: runbookOf(alarm.condition)?.title ?? alarm.condition })),
        waiting: await store.waitingMessages(),
      };
    },
    actions: { test },
  } satisfies DeskPage;
}

export type AlarmsData = NonNullable<Awaited<ReturnType<ReturnType<typeof alarmsPage>['load']>>>;
