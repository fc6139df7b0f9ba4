import { UsageError } from '../../server/commands/declaration.ts';
import { printJson, printText } from '../../server/commands/print.ts';
import { listCommand, withDatabase } from '../../server/commands/stores.ts';
import { createIncidentStore, type Incident, type IncidentStore, longestIncident } from './incidents.ts';

const timeOf = (at: number) => new Date(at).toISOString();

const list = (read: (incidents: IncidentStore) => Promise<readonly Incident[]>) =>
  listCommand(
    (query) => read(createIncidentStore(query, Date.now)),
    [
      { name: 'number', isNumber: true, of: ({ id }) => id },
      { name: 'began', of: ({ beganAt }) => timeOf(beganAt) },
      { name: 'ended', of: ({ endedAt }) => (endedAt === null ? 'lasts' : timeOf(endedAt)) },
      { name: 'text', of: ({ text }) => text },
    ],
  );

/** Lists all incidents. */
export const listIncidents = list((incidents) => incidents.since(0));

/** Writes on the status page what is wrong. */
export async function openIncident(call: { text: readonly string[]; json: boolean }): Promise<number> {
  const text = call.text.join(' ').trim();
  if (text === '' || text.length > longestIncident)
    throw new UsageError(`incident open needs a text of at most ${longestIncident} characters`);
  return list(async (incidents) => [await incidents.open(text)])(call);
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
