import type { Core } from '../../server/feature.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import type { AuditLog } from './audit-log.ts';
import type { createLogIn, TryStore } from './log-in/log-in.ts';
import type { Operators } from './log-in/operators.ts';
import type { Sessions } from './log-in/sessions.ts';

/** What the desk's addresses and its own pages work with. */
export interface DeskTools {
  readonly parts: ServerDependencies;
  readonly core: Core;
  readonly log: AuditLog;
  readonly tries: TryStore;
  readonly sessions: Sessions;
  readonly operators: Operators;
  readonly logIn: ReturnType<typeof createLogIn>;
}
