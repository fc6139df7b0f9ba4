import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { printJson, printText } from '../../web/commands/print.ts';
import { withDatabase } from '../../web/commands/stores.ts';
import { type Column, printRows } from '../../web/commands/table.ts';
import { type Alarm, createAlarmStore } from './alarm-store.ts';
import { monitoringFiles } from './files/monitoring-files.ts';

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

async function writeFiles(folder: string): Promise<readonly string[]> {
  const files = Object.entries(monitoringFiles()).map(([name, text]) => ({ path: join(folder, name), text }));
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return files.map(({ path }) => path);
}

/** Lists the newest alarms. */
export const listAlarms = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createAlarmStore(query, Date.now).notified(shown);
    if (json) printJson(found);
    else await printRows(columns, found.map(cellsOf));
    return 0;
  });

/** Writes the conditions as rules for Prometheus, and a dashboard for Grafana. */
export async function writeMonitoringFiles({
  folder,
  json,
}: {
  folder: string;
  json: boolean;
}): Promise<number> {
  const written = await writeFiles(folder);
  if (json) printJson(written);
  else for (const path of written) printText(path);
  return 0;
}
