import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import { createMessages } from '../messages.ts';
import { createAcknowledgements } from './to-visitors.ts';

const start = Date.UTC(2026, 10, 1);
const hour = 3_600_000;

describe.each(engines)('$name', (engine) => {
  /** Writes messages, and returns for each whether a mail to its visitor is planned. */
  async function open(perHour: number) {
    const fresh = await openFreshDatabase(engine);
    const time = { now: start };
    const messages = createMessages(fresh.database.query, () => time.now);
    const acknowledgements = createAcknowledgements(fresh.database.query, perHour, () => time.now);
    const write = async (email: string) => {
      const { id } = await messages.keep({
        ...{ form: 'contact', locale: 'en', name: 'A', subject: 'S', fields: {}, unwanted: false },
        email,
      });
      return acknowledgements.plan({ id, email });
    };
    return { time, write, acknowledgements, [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose]() };
  }

  test('a mailbox gets one mail a day, however its address is written', async () => {
    await using desk = await open(100);
    expect(await desk.write('ada@example.org')).toBe(true);
    for (const same of ['ada@example.org', 'Ada@Example.org', 'ada+one@example.org', 'ADA+@example.org'])
      expect([same, await desk.write(same)]).toEqual([same, false]);
    expect(await desk.write('ada@example.com')).toBe(true);
    desk.time.now = start + 24 * hour - 1;
    expect(await desk.write('ada@example.org')).toBe(false);
    desk.time.now = start + 24 * hour;
    expect(await desk.write('ada@example.org')).toBe(true);
  });

  test('limits simultaneous messages to one mail for a mailbox, and to the allowance of the hour', async () => {
    await using desk = await open(3);
    const same = await Promise.all(Array.from({ length: 40 }, () => desk.write('ada@example.org')));
    expect(same.filter(Boolean)).toHaveLength(1);
    const different = await Promise.all(
      Array.from({ length: 40 }, (_, n) => desk.write(`visitor${n}@example.org`)),
    );
    expect(different.filter(Boolean)).toHaveLength(2);
  });

  test('dots make another mailbox, except at the host that ignores them', async () => {
    await using desk = await open(100);
    expect(await desk.write('ada.byron@gmail.com')).toBe(true);
    for (const same of ['adabyron@gmail.com', 'A.d.a.Byron+x.y@Gmail.com', 'ada.byron@googlemail.com'])
      expect([same, await desk.write(same)]).toEqual([same, false]);
    for (const other of ['ada@gmail.com', 'ada.byron@example.org', 'adabyron@example.org'])
      expect([other, await desk.write(other)]).toEqual([other, true]);
    expect(await desk.write('adabyron@gmail.com.example.org')).toBe(true);
    expect(await desk.write('ada.byron@gmail.com.example.org')).toBe(true);
  });

  test('sends only so many mails an hour, and none at all when none are allowed', async () => {
    await using desk = await open(3);
    const written: boolean[] = [];
    for (let n = 0; n < 5; n++) written.push(await desk.write(`visitor${n}@example.org`));
    expect(written).toEqual([true, true, true, false, false]);
    desk.time.now = start + hour;
    expect(await desk.write('visitor4@example.org')).toBe(true);
    await using silent = await open(0);
    expect(await silent.write('ada@example.org')).toBe(false);
  });

  test('a planned mail can be taken once, and is gone after a day', async () => {
    await using desk = await open(100);
    await desk.write('ada@example.org');
    const taken = await desk.acknowledgements.claim();
    expect(taken).toEqual({ id: expect.any(Number), attempts: 1 });
    expect(await desk.acknowledgements.claim()).toBeNull();
    await desk.acknowledgements.putOff(taken?.id ?? 0, hour);
    desk.time.now = start + 25 * hour;
    await desk.write('grace@example.org');
    expect((await desk.acknowledgements.claim())?.id).not.toBe(taken?.id);
    expect(await desk.acknowledgements.claim()).toBeNull();
  });
});
