import type { DeskPage } from '../../server/desk/desk-page.ts';
import type { Core } from '../../server/feature.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { articlesPage } from './articles/page.ts';
import type { AuditLog } from './audit-log.ts';
import { cachePage } from './cache/page.ts';
import { canaryPage } from './canary/page.ts';
import { nowPage } from './figures/now/page.ts';
import { usePage } from './figures/use/page.ts';
import { logPage } from './log/page.ts';
import type { Sessions } from './log-in/sessions.ts';
import type { TryStore } from './log-in/tries.ts';

/** Dependencies of the desk's own pages. */
export interface DeskTools {
  readonly parts: ServerDependencies;
  readonly core: Core;
  readonly log: AuditLog;
  readonly tries: TryStore;
  readonly sessions: Sessions;
}

/** The pages that belong to no other feature, in the order of the navigation. */
export const ownPages = (tools: DeskTools): readonly DeskPage[] => [
  nowPage(tools.core.database.query, Date.now),
  usePage(tools.core.database.query, Date.now),
  articlesPage(tools),
  canaryPage(tools),
  cachePage(tools.parts),
  logPage(tools),
];
