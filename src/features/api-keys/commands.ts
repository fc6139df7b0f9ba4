import {
  type Command,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { type ApiKey, createApiKeyStore } from './keys.ts';

const options = {
  json: { type: 'boolean', default: false },
  times: { type: 'string', default: '10' },
} as const;

const namePattern = /^[\w.-]{1,60}$/;
const mostTimes = 1000;

function timesOf(text: string): number {
  const times = Number(text);
  if (!Number.isInteger(times) || times < 1 || times > mostTimes)
    throw new UsageError(`--times: "${text}" is no whole number from 1 to ${mostTimes}`);
  return times;
}

const dayOf = (time: number | null) =>
  time === null ? 'never'.padEnd(10) : new Date(time).toISOString().slice(0, 10);

const lineOf = ({ name, times, madeAt, revokedAt, requests, usedAt }: ApiKey) =>
  [
    name.padEnd(20),
    `${times} times the limits`.padEnd(21),
    `made ${dayOf(madeAt)}`,
    `used ${dayOf(usedAt)}`,
    `${requests} requests`,
    revokedAt === null ? '' : `revoked ${dayOf(revokedAt)}`,
  ]
    .join('  ')
    .trimEnd();

/** Makes, lists and revokes keys for programs that use the API. Running instances act on it within a second or two. */
export const keys: Command = {
  usage: 'keys create NAME [--times 10] | revoke NAME | list   [--json]',
  about: 'API keys, which multiply a visitor’s limits',
  async run(words) {
    const { values, positionals } = readWords(words, options);
    const [verb = 'list', name, ...more] = positionals;
    if (verb === 'list' && name === undefined)
      return withDatabase(async ({ query }) => {
        const found = await createApiKeyStore(query, Date.now).list();
        if (values.json) printJson(found);
        else for (const key of found) printText(lineOf(key));
        return 0;
      });
    if ((verb !== 'create' && verb !== 'revoke') || name === undefined || more.length > 0)
      throw new UsageError('keys needs create NAME, revoke NAME or list');
    if (!namePattern.test(name))
      throw new UsageError(`"${name}": a name has 1 to 60 letters, digits, dots, dashes and underscores`);
    const times = timesOf(values.times);
    return withDatabase(async ({ query }) => {
      const store = createApiKeyStore(query, Date.now);
      if (verb === 'revoke') {
        if (!(await store.revoke(name))) throw new Error(`No valid key has the name "${name}".`);
        if (values.json) printJson({ name, revoked: true });
        else printText(`${name}: revoked`);
        return 0;
      }
      const key = await store.create(name, times);
      if (key === null) throw new Error(`A key has the name "${name}" already.`);
      if (values.json) printJson({ name, times, key });
      else printText(`${key}\nIt is shown only once: the site stores its hash.`);
      return 0;
    });
  },
};
