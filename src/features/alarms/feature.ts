import type { Environment } from '../../process/environment.ts';
import type { Feature } from '../../server/feature.ts';

const isWanted = ({ ALARM_WEBHOOK_URL, ALARM_MAIL }: Environment): boolean =>
  ALARM_WEBHOOK_URL !== undefined || ALARM_MAIL !== undefined;

/** Without anybody to notify, nothing of alarms is loaded. */
export default {
  open: async (core) => (isWanted(core.environment) ? (await import('./server.ts')).openAlarms(core) : {}),
  async startFailed(start) {
    if (isWanted(start.environment)) await (await import('./server.ts')).reportFailedStart(start);
  },
} satisfies Feature;
