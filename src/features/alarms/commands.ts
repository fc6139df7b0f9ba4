import { printJson } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { type Column, printRows } from '../../server/commands/table.ts';
import { type Alarm, createAlarmStore } from './alarm-store.ts';

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

/** Lists the newest alarms. */
export const listAlarms = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createAlarmStore(query, Date.now).notified(shown);
    if (json) printJson(found);
    else await printRows(columns, found.map(cellsOf));
    return 0;
  });
