import type { Environment } from '../../process/environment.ts';
import type { Feature } from '../../server/feature.ts';
import { alarmVariables as variables } from './variables.ts';

function isWanted(environment: Environment): boolean {
  const { ALARM_WEBHOOK_URL, ALARM_MAIL } = variables.read(environment);
  return ALARM_WEBHOOK_URL !== undefined || ALARM_MAIL !== undefined;
}

/** Without anybody to notify, nothing of alarms is loaded. */
export default {
  variables,
  audience: ({ environment }) => (isWanted(environment) ? 'operator' : null),
  checks: () => import('./checks.ts'),
  open: async (core) => (isWanted(core.environment) ? (await import('./server.ts')).openAlarms(core) : {}),
  async startFailed(start) {
    if (isWanted(start.environment)) await (await import('./server.ts')).reportFailedStart(start);
  },
} satisfies Feature;
