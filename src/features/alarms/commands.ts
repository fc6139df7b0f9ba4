import { readEnvironment } from '../../process/environment.ts';
import type { CommandTools } from '../../server/commands/declaration.ts';
import { printError, printJson, printRows } from '../../server/commands/print.ts';
import { listCommand } from '../../server/commands/stores.ts';
import { createAlarmStore } from './alarm-store.ts';
import { trySiteChannels } from './senders.ts';

const shown = 50;

/** Sends a test message by each channel. @returns 1 when one was not taken, or nobody is told */
export async function testAlarms(
  { json }: { json: boolean },
  { readConfiguration }: CommandTools,
): Promise<number> {
  const environment = readEnvironment(process.env);
  const configuration = await readConfiguration(environment.SITE_CONFIG);
  const origin = environment.SITE_ORIGIN ?? `https://${configuration.domain}`;
  const tried = await trySiteChannels({ environment, configuration, origin });
  if (json) printJson(tried);
  else if (tried.length === 0) printError('Nobody is told: set ALARM_WEBHOOK_URL or ALARM_MAIL.');
  else
    await printRows(
      [{ name: 'channel' }, { name: 'result' }],
      tried.map(({ channel, failure }) => [channel, failure ?? 'taken: look whether it has arrived']),
    );
  return tried.length > 0 && tried.every(({ failure }) => failure === null) ? 0 : 1;
}

const timeOf = (at: number) => new Date(at).toISOString();

/** Lists the newest alarms. */
export const listAlarms = listCommand(
  (query) => createAlarmStore(query, Date.now).notified(shown),
  [
    { name: 'number', isNumber: true, of: ({ id }) => id },
    { name: 'since', of: ({ since }) => timeOf(since) },
    { name: 'ended', of: ({ endedAt }) => (endedAt === null ? 'lasts' : timeOf(endedAt)) },
    { name: 'condition', of: ({ condition }) => condition },
    { name: 'text', of: ({ text }) => text },
  ],
);
