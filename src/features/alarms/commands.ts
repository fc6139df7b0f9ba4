import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Command,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { type Alarm, createAlarmStore } from './alarm-store.ts';
import { monitoringFiles } from './files/monitoring-files.ts';

const shown = 50;

const lineOf = ({ id, condition, text, since, endedAt }: Alarm) =>
  [
    String(id).padStart(4),
    new Date(since).toISOString(),
    endedAt === null ? 'lasts' : new Date(endedAt).toISOString(),
    condition,
    text,
  ].join('  ');

async function writeFiles(folder: string): Promise<readonly string[]> {
  const files = Object.entries(monitoringFiles()).map(([name, text]) => ({ path: join(folder, name), text }));
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return files.map(({ path }) => path);
}

/** What the operator was told of, and the same conditions for Prometheus and Grafana. */
export const alarms: Command = {
  usage: 'alarms list | files FOLDER   [--json]',
  about: 'troubles that were told; writes rules for Prometheus and a dashboard for Grafana',
  async run(words) {
    const { values, positionals } = readWords(words, { json: { type: 'boolean', default: false } });
    const [verb = 'list', folder, ...rest] = positionals;
    if (verb === 'list' && folder === undefined)
      return withDatabase(async ({ query }) => {
        const told = await createAlarmStore(query, Date.now).told(shown);
        if (values.json) printJson(told);
        else for (const one of told) printText(lineOf(one));
        return 0;
      });
    if (verb !== 'files' || folder === undefined || rest.length > 0)
      throw new UsageError('alarms needs list, or files and a folder');
    const written = await writeFiles(folder);
    if (values.json) printJson(written);
    else for (const path of written) printText(path);
    return 0;
  },
};
