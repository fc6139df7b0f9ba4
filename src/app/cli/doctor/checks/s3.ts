import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Check } from '../../../../server/commands/checks.ts';
import { openObjectStore } from '../../../../stores/open/object-store.ts';

export const s3: Check = {
  name: 's3',
  async run({ environment }) {
    const objects = await openObjectStore(environment, pino({ level: 'silent' }));
    if (objects === null) return [];
    try {
      if (objects.isAway)
        return [
          {
            level: 'error',
            what: `${objects.name} does not answer`,
            todo: 'start it, or correct S3_ENDPOINT; until then sounds stay on this machine, and pictures are missing',
          },
        ];
      // Where instances delete what nobody does.
      const key = `conversions/doctor-${randomUUID()}`;
      const sent = Buffer.from(key);
      await objects.put(key, sent, { contentType: 'text/plain' });
      const found = await objects.open(key);
      const got = found === null ? null : Buffer.concat(await found.body.toArray());
      await objects.delete(key);
      if (got === null || !sent.equals(got))
        return [
          {
            level: 'error',
            what: `${objects.name} does not give back what was written`,
            todo: 'look at its log, and at proxies in between',
          },
        ];
      return [{ level: 'ok', what: `${objects.name} writes, reads and deletes` }];
    } finally {
      await objects.close();
    }
  },
};
