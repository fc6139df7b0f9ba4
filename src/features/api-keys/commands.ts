import { printJson, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { type Column, printRows } from '../../server/commands/table.ts';
import { type ApiKey, createApiKeyStore } from './keys.ts';

const columns: readonly Column[] = [
  { name: 'name' },
  { name: 'limits', alone: (cell) => `${cell} the limits` },
  { name: 'made', alone: (cell) => `made ${cell}` },
  { name: 'used', alone: (cell) => `used ${cell}` },
  { name: 'requests', isNumber: true, alone: (cell) => `${cell} requests` },
  { name: 'revoked', alone: (cell) => (cell === '' ? '' : `revoked ${cell}`) },
];

const dayOf = (time: number | null) => (time === null ? 'never' : new Date(time).toISOString().slice(0, 10));

const cellsOf = ({ name, times, madeAt, revokedAt, requests, usedAt }: ApiKey) => [
  name,
  `${times} times`,
  dayOf(madeAt),
  dayOf(usedAt),
  requests,
  revokedAt === null ? '' : dayOf(revokedAt),
];

/** Lists all keys. */
export const listKeys = ({ json }: { json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createApiKeyStore(query, Date.now).list();
    if (json) printJson(found);
    else await printRows(columns, found.map(cellsOf));
    return 0;
  });

/** Makes a key and prints it, which nothing does again. Running instances know it within a second or two. */
export const createKey = ({
  name,
  times,
  json,
}: {
  name: string;
  times: number;
  json: boolean;
}): Promise<number> =>
  withDatabase(async ({ query }) => {
    const key = await createApiKeyStore(query, Date.now).create(name, times);
    if (key === null) throw new Error(`A key has the name "${name}" already.`);
    if (json) printJson({ name, times, key });
    else printText(`${key}\nIt is shown only once: the site stores its hash.`);
    return 0;
  });

/** Ends a key. Running instances refuse it within a second or two. */
export const revokeKey = ({ name, json }: { name: string; json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    if (!(await createApiKeyStore(query, Date.now).revoke(name)))
      throw new Error(`No valid key has the name "${name}".`);
    if (json) printJson({ name, revoked: true });
    else printText(`${name}: revoked`);
    return 0;
  });
