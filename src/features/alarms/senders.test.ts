import { expect, test } from 'vitest';
import { startMailServer } from '../../../tests/support/mail-server.ts';
import { readEnvironment } from '../../process/environment.ts';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { createAlarmStore } from './alarm-store.ts';
import { conditions } from './conditions/conditions.ts';
import type { SiteReading } from './read-site.ts';
import { openSenders } from './senders.ts';
import { alarmVariables } from './variables.ts';
import { createWatch, quietMs } from './watch.ts';

const minuteMs = 60_000;

test.for(engines)(
  'a mail server receives one mail when a trouble has lasted and one when it is over, also after it refused one, on $name',
  async (engine) => {
    await using fresh = await openFreshDatabase(engine);
    const server = await startMailServer(1);
    let time = Date.UTC(2026, 9, 1);
    const now = () => time;
    const environment = readEnvironment({
      ...{ DATA_DIR: './data', SMTP_URL: server.url },
      ...{ ALARM_MAIL: 'operator@example.org', CONTACT_TO: 'contact@example.org' },
    });
    const sender = {
      name: 'Clipferry',
      domain: 'site.example',
      origin: 'https://site.example',
      hasDesk: true,
    };
    const senders = await openSenders(environment, sender, now);
    const [condition] = conditions;
    if (condition === undefined) throw new Error('There is no condition.');
    let isBroken = true;
    const watch = createWatch({
      conditions: [
        {
          ...condition,
          find: () => (isBroken ? [{ subject: 'tiktok/page', text: 'It is\r\nBcc: open.' }] : []),
        },
      ],
      read: async () => ({ now: time }) as SiteReading,
      readSelf: async () => null,
      store: createAlarmStore(fresh.database.query, now),
      leases: createLeases(fresh.database.query, now),
      senders: senders.byChannel,
      observer: { sent() {}, failed() {}, databaseFailed() {} },
      now,
    });
    const pass = async (forMs: number) => {
      for (const end = time + forMs; time < end; ) {
        time += 15_000;
        await watch.look();
      }
    };
    const subjects = () =>
      server.mails.map(({ headers }) => headers.find((line) => line.startsWith('Subject: ')) ?? '');

    await pass(condition.lastsMs);
    expect(server.attempts()).toBe(0);
    await pass(30 * minuteMs);
    expect(subjects()).toEqual([`Subject: [Clipferry] ${condition.title}`]);
    // The first attempt was refused, and repeated.
    expect(server.attempts()).toBe(2);
    expect(server.mails[0]).toMatchObject({ to: ['<operator@example.org>'] });
    expect(server.mails[0]?.body).toContain(condition.advice.slice(0, 20));
    expect(server.mails[0]?.headers).toContain('Auto-Submitted: auto-generated');
    expect(server.mails[0]?.headers.some((line) => line.startsWith('Bcc'))).toBe(false);

    isBroken = false;
    await pass(quietMs + 30 * minuteMs);
    expect(subjects().slice(1)).toEqual([`Subject: [Clipferry] Over: ${condition.title}`]);
    const ids = server.mails.map(({ headers }) => headers.find((line) => line.startsWith('Message-ID: ')));
    expect(new Set(ids).size).toBe(2);
    await senders.close();
    await server.stop();
  },
);

test.each([
  [{}, []],
  [{ SMTP_URL: 'smtp://127.0.0.1', CONTACT_TO: 'contact@example.org' }, []],
  [
    { SMTP_URL: 'smtp://127.0.0.1', CONTACT_TO: 'contact@example.org', ALARM_MAIL: 'operator@example.org' },
    ['mail'],
  ],
  [{ ALARM_WEBHOOK_URL: 'https://hooks.example/1' }, ['webhook']],
] as const)('with %j, alarms go to %j', async (variables, channels) => {
  const environment = readEnvironment(variables);
  const sender = { name: 'Clipferry', domain: 'site.example', origin: 'https://site.example', hasDesk: true };
  const { byChannel, close } = await openSenders(environment, sender, () => 0);
  expect(Object.keys(byChannel)).toEqual(channels);
  await close();
});

test('alarms by mail need a mail server, and a secret needs a webhook', () => {
  expect(
    alarmVariables.problems({ ALARM_MAIL: 'a@example.org', ALARM_WEBHOOK_SECRET: 'x'.repeat(16) }),
  ).toEqual({
    SMTP_URL: 'must be set, because ALARM_MAIL is',
    ALARM_WEBHOOK_URL: 'must be set, because ALARM_WEBHOOK_SECRET is',
  });
});
