import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createMessages, noticesKeptYears, withMessages } from './messages.ts';

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
    'mails a message although the clock was wrong by %d ms for a moment',
    async (jump) => {
      await using fresh = await openFreshDatabase(engine);
      const time = { now: start + jump };
      const messages = createMessages(fresh.database.query, () => time.now);
      const [{ id: kept }, { id: putOff }] = [await messages.keep(message), await messages.keep(message)];
      expect((await messages.claim())?.id).toBe(kept);
      await messages.markSent(kept);
      expect((await messages.claim())?.id).toBe(putOff);
      await messages.putOff(putOff, 3_600_000);
      expect(await messages.claim()).toBeNull();
      time.now = start;
      expect(await messages.waitFor()).toBe(0);
      expect((await messages.claim())?.id).toBe(putOff);
      expect(await messages.claim()).toBeNull();
      expect(await messages.waitFor()).toBe(300_000);
    },
  );

  test('messages are deleted one by one, by mailbox, and by age', async () => {
    await using fresh = await openFreshDatabase(engine);
    const time = { now: start };
    const messages = createMessages(fresh.database.query, () => time.now);
    const keep = (email: string) => messages.keep({ ...message, email });
    const [{ id: one, reference }, { id: other }] = [
      await keep('ada@example.org'),
      await keep('grace@example.org'),
    ];
    expect([await messages.find(reference), await messages.find('222-222')]).toEqual([one, null]);
    for (const email of ['Ada+1@example.org', 'ADA@example.org', 'ada@example.com']) await keep(email);
    expect([await messages.delete(one), await messages.delete(one)]).toEqual([true, false]);
    expect(await messages.show(one)).toBeNull();
    expect(await messages.deleteMailbox('ada@example.org')).toBe(2);
    expect(await messages.deleteMailbox('ada@example.org')).toBe(0);
    time.now = start + 2 * year;
    await keep('new@example.org');
    expect(await messages.expire(731)).toBe(0);
    expect(await messages.expire(729)).toBe(2);
    expect(await messages.show(other)).toBeNull();
    expect((await messages.list({ limit: 10 })).map(({ email }) => email)).toEqual(['new@example.org']);
    const notice = { ...message, form: 'dmca', email: 'holder@example.org' };
    for (const unwanted of [false, true]) await messages.keep({ ...notice, unwanted });
    time.now += noticesKeptYears * year;
    expect(await messages.expire(365)).toBe(2);
    expect(await messages.list({ limit: 10 })).toMatchObject([{ form: 'dmca', unwanted: false }]);
    time.now += year;
    expect(await messages.expire(365)).toBe(1);
  });

  test('finds a mailbox among many', async () => {
    await using fresh = await openFreshDatabase(engine);
    const messages = createMessages(fresh.database.query, () => start);
    const row = { form: 'contact', locale: 'en', name: '', subject: '', fields: '{}', made_at: start };
    await withMessages(fresh.database.query)
      .insertInto('messages')
      .values(
        Array.from({ length: 1001 }, (_, n) => ({
          ...{ ...row, state: 'sent' as const, next_at: 0 },
          email: n % 500 === 0 ? 'ada@example.org' : 'grace@example.org',
        })),
      )
      .execute();
    expect(await messages.deleteMailbox('ada@example.org')).toBe(3);
    expect(await messages.deleteMailbox('grace@example.org')).toBe(998);
  });
});
