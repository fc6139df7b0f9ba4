import type { Environment } from '../../process/environment.ts';
import type { FeatureServer } from '../../web/feature.ts';

const isWanted = ({ ALARM_WEBHOOK_URL, ALARM_MAIL }: Environment): boolean =>
  ALARM_WEBHOOK_URL !== undefined || ALARM_MAIL !== undefined;

/** Without anybody to tell, nothing of alarms is loaded. */
export default {
  async assemble(context) {
    return isWanted(context.environment) ? (await import('./part.ts')).assembleAlarms(context) : {};
  },
  async startFailed(start) {
    if (isWanted(start.environment)) await (await import('./part.ts')).reportFailedStart(start);
  },
} satisfies FeatureServer;
