import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Check, error, ok } from '../../../../server/commands/checks.ts';
import { openObjectStore } from '../../../../stores/open/object-store.ts';

export const s3: Check = {
  name: 's3',
  todo: 'correct the variable, or the rights of its key; a site does not start with wrong ones',
  async run({ environment }) {
    const objects = await openObjectStore(environment, pino({ level: 'silent' }));
    if (objects === null) return [];
    try {
      if (objects.isAway) {
        const todo =
          'start it, or correct S3_ENDPOINT; until then sounds stay on this machine, and pictures are missing';
        return [error(`${objects.name} does not answer`, todo)];
      }
      // Instances delete old objects there, should this one be left behind.
      const key = `conversions/doctor-${randomUUID()}`;
      const sent = Buffer.from(key);
      await objects.put(key, sent, { contentType: 'text/plain' });
      const found = await objects.open(key);
      const got = found === null ? null : Buffer.concat(await found.body.toArray());
      await objects.delete(key);
      if (got === null || !sent.equals(got)) {
        const what = `${objects.name} does not give back what was written`;
        return [error(what, 'look at its log, and at proxies in between')];
      }
      return [ok(`${objects.name} writes, reads and deletes`)];
    } finally {
      await objects.close();
    }
  },
};
