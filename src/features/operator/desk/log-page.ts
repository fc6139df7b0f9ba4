import { beforeOf, type DeskPage, olderThan } from '../../../server/desk/desk-page.ts';
import type { DeskTools } from '../desk-tools.ts';

const pageSize = 50;
const shownTries = 20;

/** Every action of the desk, who is logged in, and log-ins that failed. */
export const logPage = ({ log, tries, sessions }: DeskTools) =>
  ({
    name: 'log',
    section: 'Desk',
    title: 'Audit log',
    async load({ query }) {
      const entries = await log.list({ limit: pageSize, ...beforeOf(query) });
      return {
        entries,
        before: olderThan(entries, pageSize),
        tries: await tries.list(shownTries),
        sessions: await sessions.count(),
      };
    },
    actions: {
      async 'end-sessions'() {
        const ended = await sessions.endAll();
        return { outcome: 'done', object: `${ended} sessions`, text: 'Everybody is logged out.' };
      },
    },
  }) satisfies DeskPage;

export type LogData = NonNullable<Awaited<ReturnType<ReturnType<typeof logPage>['load']>>>;
