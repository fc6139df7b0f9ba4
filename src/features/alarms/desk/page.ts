import type { DeskPage } from '../../../server/desk/desk-page.ts';
import type { AlarmStore } from '../alarm-store.ts';
import { conditions } from '../conditions.ts';

const shown = 50;

/** What the operator was told of, and what they would be told of. */
export const alarmsPage = (store: Pick<AlarmStore, 'notified' | 'waitingMessages'>) =>
  ({
    name: 'alarms',
    section: 'Desk',
    title: 'Alarms',
    async load({ parts }) {
      if (parts.length > 0) return null;
      const titles = new Map(conditions.map(({ name, title }) => [name, title]));
      return {
        alarms: (await store.notified(shown)).map((alarm) => ({
          ...alarm,
          title: titles.get(alarm.condition) ?? alarm.condition,
        })),
        waiting: await store.waitingMessages(),
        conditions: conditions.map(({ name, title, advice, lastsMs }) => ({ name, title, advice, lastsMs })),
      };
    },
  }) satisfies DeskPage;

export type AlarmsData = NonNullable<Awaited<ReturnType<ReturnType<typeof alarmsPage>['load']>>>;
