import { request } from 'undici';
import { causesOf } from '../../failures/causes.ts';
import { asFailure } from '../../failures/failures.ts';
import type { Check } from '../../server/commands/checks.ts';
import { openConnections } from './senders.ts';
import { alarmVariables } from './variables.ts';

/** Whether somebody answers where alarms are sent; no message is sent. The mail server is checked as `mail`. */
const alarms: Check = {
  name: 'alarms',
  async run({ environment, signal }) {
    const { ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_PRIVATE, ALARM_MAIL } = alarmVariables.read(environment);
    const todo = 'run "alarms test" and look whether it arrives';
    const mail =
      ALARM_MAIL === undefined ? [] : [{ of: 'mail', level: 'ok', what: `to ${ALARM_MAIL}`, todo } as const];
    if (url === undefined) return mail;
    const { host } = new URL(url);
    const dispatcher = openConnections(ALARM_WEBHOOK_PRIVATE, environment);
    try {
      const { statusCode, body } = await request(url, { method: 'HEAD', dispatcher, signal });
      await body.dump();
      return [{ of: 'webhook', level: 'ok', what: `${host} answers (${statusCode})`, todo }, ...mail];
    } catch (error) {
      const what = `${host}: ${causesOf(asFailure(error))}`;
      return [
        {
          ...({ of: 'webhook', level: 'error', what } as const),
          todo: 'correct ALARM_WEBHOOK_URL; a private address needs ALARM_WEBHOOK_PRIVATE=1',
        },
        ...mail,
      ];
    } finally {
      await dispatcher.destroy();
    }
  },
};

export default [alarms];
