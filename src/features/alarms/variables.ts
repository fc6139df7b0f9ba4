import { defineVariables, mailAddress, secret, webAddress, yesOrNo } from '../../process/variables.ts';

/** Channels of alarms. */
export const alarmVariables = defineVariables(
  {
    ALARM_WEBHOOK_URL: webAddress.optional(),
    ALARM_WEBHOOK_SECRET: secret(16).optional(),
    ALARM_WEBHOOK_PRIVATE: yesOrNo.default(false),
    ALARM_MAIL: mailAddress.optional(),
  },
  { ALARM_WEBHOOK_SECRET: 'ALARM_WEBHOOK_URL', ALARM_MAIL: 'SMTP_URL' },
);
