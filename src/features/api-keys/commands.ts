import { printJson, printText } from '../../server/commands/print.ts';
import { listCommand, withDatabase } from '../../server/commands/stores.ts';
import { createApiKeyStore } from './server.ts';

const dayOf = (time: number | null) => (time === null ? 'never' : new Date(time).toISOString().slice(0, 10));

/** Lists all keys. */
export const listKeys = listCommand(
  (query) => createApiKeyStore(query, Date.now).list(),
  [
    { name: 'name', of: ({ name }) => name },
    { name: 'limits', of: ({ times }) => `${times} times`, alone: (cell) => `${cell} the limits` },
    { name: 'made', of: ({ madeAt }) => dayOf(madeAt), alone: (cell) => `made ${cell}` },
    { name: 'used', of: ({ usedAt }) => dayOf(usedAt), alone: (cell) => `used ${cell}` },
    { name: 'requests', isNumber: true, of: ({ requests }) => requests, alone: (cell) => `${cell} requests` },
    {
      name: 'revoked',
      of: ({ revokedAt }) => (revokedAt === null ? '' : dayOf(revokedAt)),
      alone: (cell) => (cell === '' ? '' : `revoked ${cell}`),
    },
  ],
);

/** Makes a key and prints it, which nothing does again. Running instances know it within a second or two. */
export const createKey = (call: { name: string; times: number; json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const { name, times, json } = call;
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
