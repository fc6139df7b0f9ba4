import { request } from 'undici';
import { asFailure, causesOf } from '../../failures/failures.ts';
import type { Check, CheckContext, Finding } from '../../server/commands/checks.ts';
import { openConnections, trySiteChannels } from './senders.ts';
import { alarmVariables } from './variables.ts';

const advice: Readonly<Record<string, string>> = {
  webhook: 'correct ALARM_WEBHOOK_URL; a private address needs ALARM_WEBHOOK_PRIVATE=1',
  mail: 'correct ALARM_MAIL, or SMTP_URL (see "mail")',
};

/** Sends a test message by each channel. */
const tellAll = async (context: CheckContext): Promise<readonly Finding[]> =>
  (await trySiteChannels(context)).map(({ channel: of, failure }) =>
    failure === null
      ? { of, level: 'ok', what: 'a test message was taken', todo: 'look whether it has arrived' }
      : { of, level: 'error', what: failure, todo: advice[of] ?? '' },
  );

/** Asks whether the webhook's server answers. */
async function askWebhook(url: string, { environment, signal }: CheckContext): Promise<Finding> {
  const of = 'webhook';
  const { host } = new URL(url);
  const dispatcher = openConnections(alarmVariables.read(environment).ALARM_WEBHOOK_PRIVATE, environment);
  try {
    const { statusCode, body } = await request(url, { method: 'HEAD', dispatcher, signal });
    await body.dump();
    return { of, level: 'ok', what: `${host} answers (${statusCode})`, todo: tryIt };
  } catch (error) {
    return { of, level: 'error', what: `${host}: ${causesOf(asFailure(error))}`, todo: advice.webhook ?? '' };
  } finally {
    await dispatcher.destroy();
  }
}

const tryIt = 'run "doctor --tell" or "alarms test", and look whether a message arrives';

/** Whether alarms reach somebody. */
const alarms: Check = {
  name: 'alarms',
  todo: 'correct ALARM_WEBHOOK_URL or ALARM_MAIL',
  async run(context) {
    const { ALARM_WEBHOOK_URL: url, ALARM_MAIL: to } = alarmVariables.read(context.environment);
    if (url === undefined && to === undefined)
      return [
        { level: 'ok', what: 'nobody is told of an outage', todo: 'set ALARM_WEBHOOK_URL or ALARM_MAIL' },
      ];
    if (context.mayTell) return tellAll(context);
    return [
      ...(url === undefined ? [] : [await askWebhook(url, context)]),
      // Its server is checked as `mail`.
      ...(to === undefined ? [] : [{ of: 'mail', level: 'ok', what: `to ${to}`, todo: tryIt } as const]),
    ];
  },
};

export default [alarms];
