import {
  type Command,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { createIncidentStore, type Incident, longestIncident } from './incidents.ts';

const lineOf = ({ id, text, beganAt, endedAt }: Incident) =>
  [
    String(id).padStart(4),
    new Date(beganAt).toISOString(),
    endedAt === null ? 'lasts' : new Date(endedAt).toISOString(),
    text,
  ].join('  ');

function textOf(words: readonly string[]): string {
  const text = words.join(' ').trim();
  if (text === '' || text.length > longestIncident)
    throw new UsageError(`incident open needs a text of at most ${longestIncident} characters`);
  return text;
}

function numberOf([word, ...more]: readonly string[]): number {
  const id = Number(word);
  if (!Number.isInteger(id) || id < 1 || more.length > 0)
    throw new UsageError('incident close needs the number of an incident');
  return id;
}

/** Notes on the status page: what is wrong, until it is over. */
export const incident: Command = {
  usage: 'incident open TEXT | close NUMBER | list   [--json]',
  about: 'what the status page says about a trouble',
  async run(words) {
    const { values, positionals } = readWords(words, { json: { type: 'boolean', default: false } });
    const [verb = 'list', ...rest] = positionals;
    const print = (found: readonly Incident[]) => {
      if (values.json) printJson(found);
      else for (const one of found) printText(lineOf(one));
      return 0;
    };
    if (verb === 'list' && rest.length === 0)
      return withDatabase(async ({ query }) => print(await createIncidentStore(query, Date.now).since(0)));
    if (verb === 'open') {
      const text = textOf(rest);
      return withDatabase(async ({ query }) =>
        print([await createIncidentStore(query, Date.now).open(text)]),
      );
    }
    if (verb !== 'close') throw new UsageError('incident needs open TEXT, close NUMBER or list');
    const id = numberOf(rest);
    return withDatabase(async ({ query }) => {
      if (!(await createIncidentStore(query, Date.now).close(id)))
        throw new Error(`No incident with the number ${id} lasts.`);
      if (values.json) printJson({ id, closed: true });
      else printText(`${id}: closed`);
      return 0;
    });
  },
};
