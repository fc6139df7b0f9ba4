import { UsageError } from '../../server/commands/declaration.ts';
import { printJson, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { type Column, printRows } from '../../server/commands/table.ts';
import { createIncidentStore, type Incident, longestIncident } from './incidents.ts';

const columns: readonly Column[] = [
  { name: 'number', isNumber: true },
  { name: 'began' },
  { name: 'ended' },
  { name: 'text' },
];

const cellsOf = ({ id, text, beganAt, endedAt }: Incident) => [
  id,
  new Date(beganAt).toISOString(),
  endedAt === null ? 'lasts' : new Date(endedAt).toISOString(),
  text,
];

async function print(found: readonly Incident[], json: boolean): Promise<number> {
  if (json) printJson(found);
  else await printRows(columns, found.map(cellsOf));
  return 0;
}

/** Lists all incidents. */
export const listIncidents = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => print(await createIncidentStore(query, Date.now).since(0), json));

/** Writes on the status page what is wrong. */
export async function openIncident({
  text: words,
  json,
}: {
  text: readonly string[];
  json: boolean;
}): Promise<number> {
  const text = words.join(' ').trim();
  if (text === '' || text.length > longestIncident)
    throw new UsageError(`incident open needs a text of at most ${longestIncident} characters`);
  return withDatabase(async ({ query }) =>
    print([await createIncidentStore(query, Date.now).open(text)], json),
  );
}

/** Writes on the status page that it is over. */
export const closeIncident = ({ number: id, json }: { number: number; json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    if (!(await createIncidentStore(query, Date.now).close(id)))
      throw new Error(`No incident with the number ${id} lasts.`);
    if (json) printJson({ id, closed: true });
    else printText(`${id}: closed`);
    return 0;
  });
