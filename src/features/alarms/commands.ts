import { readEnvironment } from '../../process/environment.ts';
import type { CommandTools } from '../../server/commands/declaration.ts';
import { printError, printJson } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { type Column, printRows } from '../../server/commands/table.ts';
import { type Alarm, createAlarmStore } from './alarm-store.ts';
import { trySiteChannels } from './senders.ts';

const shown = 50;

const columns: readonly Column[] = [
  { name: 'number', isNumber: true },
  ...['since', 'ended', 'condition', 'text'].map((name) => ({ name })),
];

const cellsOf = ({ id, condition, text, since, endedAt }: Alarm) => [
  id,
  new Date(since).toISOString(),
  endedAt === null ? 'lasts' : new Date(endedAt).toISOString(),
  condition,
  text,
];

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

/** Lists the newest alarms. */
export const listAlarms = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createAlarmStore(query, Date.now).notified(shown);
    if (json) printJson(found);
    else await printRows(columns, found.map(cellsOf));
    return 0;
  });
