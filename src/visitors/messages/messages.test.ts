import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/databases.ts';
import { createMessages } from './messages.ts';

const start = Date.UTC(2026, 10, 1);
const year = 365 * 86_400_000;
const message = {
  form: 'contact',
  locale: 'en',
  name: 'A Visitor',
  email: 'visitor@example.org',
  subject: 'A question',
  fields: { message: 'Hello' },
  unwanted: false,
};

describe.each(engines)('$name', (engine) => {
  test.each([year, -year])(
    'a message is mailed although the clock was wrong by %d ms for a moment',
    async (jump) => {
      await using fresh = await openFreshDatabase(engine);
      const time = { now: start + jump };
      const messages = createMessages(fresh.database.query, () => time.now);
      const [kept, putOff] = [await messages.keep(message), await messages.keep(message)];
      expect((await messages.take(300_000))?.id).toBe(kept);
      await messages.markSent(kept);
      expect((await messages.take(300_000))?.id).toBe(putOff);
      await messages.putOff(putOff, 3_600_000);
      expect(await messages.take(300_000)).toBeNull();
      time.now = start;
      expect(await messages.waitFor()).toBe(0);
      expect((await messages.take(300_000))?.id).toBe(putOff);
      expect(await messages.take(300_000)).toBeNull();
      expect(await messages.waitFor()).toBe(300_000);
    },
  );
});
