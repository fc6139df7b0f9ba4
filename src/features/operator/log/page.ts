import type { DeskPage } from '../../../web/desk/desk-page.ts';
import { beforeOf, olderThan } from '../../../web/desk/paging.ts';
import type { AuditLog } from '../audit-log.ts';
import type { TryStore } from '../log-in/tries.ts';

const pageSize = 50;
const shownTries = 20;

/** Every deed of the desk, and log-ins that failed. */
export const logPage = ({
  log,
  tries,
}: {
  readonly log: Pick<AuditLog, 'list'>;
  readonly tries: Pick<TryStore, 'list'>;
}) =>
  ({
    name: 'log',
    section: 'Desk',
    title: 'Audit log',
    async load({ parts, query }) {
      if (parts.length > 0) return null;
      const entries = await log.list({ limit: pageSize, ...beforeOf(query) });
      return { entries, before: olderThan(entries, pageSize), tries: await tries.list(shownTries) };
    },
  }) satisfies DeskPage;

export type LogData = NonNullable<Awaited<ReturnType<ReturnType<typeof logPage>['load']>>>;
