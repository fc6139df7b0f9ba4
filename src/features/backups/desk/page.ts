import { type DeskPage, Refused } from '../../../server/desk/desk-page.ts';
import { type KeepRule, madeAt, type Place } from '../archives.ts';
import type { BackupStore, Backups } from '../backups.ts';

const shown = 30;

interface BackupsPageParts {
  readonly store: BackupStore;
  readonly place: Place;
  readonly backups: Pick<Backups, 'make'>;
  readonly rule: KeepRule;
}

/** The archives that there are, and how backups ended. */
export const backupsPage = ({ store, place, backups, rule }: BackupsPageParts) =>
  ({
    name: 'backups',
    section: 'Desk',
    title: 'Backups',
    async load() {
      const names = await place.list().then(
        (all) => ({ archives: all.filter((name) => madeAt(name) !== null).length, problem: null }),
        (error: unknown) => ({ archives: 'unknown', problem: String(error) }),
      );
      return {
        ...names,
        place: place.title,
        rule,
        runs: await store.list(shown),
        last: await store.lastGood(),
      };
    },
    actions: {
      async make() {
        const made = await backups.make();
        if (made === null) throw new Refused('A backup is being made already.');
        if (made.failure !== null) return { outcome: 'failed', object: made.name, text: made.failure };
        return { outcome: 'done', object: made.name, text: `${made.name} was made.` };
      },
    },
  }) satisfies DeskPage;

export type BackupsData = NonNullable<Awaited<ReturnType<ReturnType<typeof backupsPage>['load']>>>;
