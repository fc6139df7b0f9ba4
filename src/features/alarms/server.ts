import type { FeatureServer } from '../../web/feature.ts';

/** Without anybody to tell, nothing of alarms is loaded. */
export default {
  async assemble(context) {
    const { ALARM_WEBHOOK_URL, ALARM_MAIL } = context.environment;
    if (ALARM_WEBHOOK_URL === undefined && ALARM_MAIL === undefined) return {};
    return (await import('./part.ts')).assembleAlarms(context);
  },
} satisfies FeatureServer;
