import { expect, test } from 'vitest';
import { startMailServer } from '../../../tests/support/mail-server.ts';
import { readEnvironment } from '../../process/environment.ts';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { type AlarmMessage, createAlarmStore } from './alarm-store.ts';
import { conditions } from './conditions/conditions.ts';
import type { SiteReading } from './read-site.ts';
import { openSenders, testMessage, webhookRequest, wordsOf } from './senders.ts';
import { alarmVariables } from './variables.ts';
import { createWatch, quietMs } from './watch.ts';

const minuteMs = 60_000;
const sender = { name: 'Clipferry', domain: 'site.example', origin: 'https://site.example', hasDesk: true };

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

const at = Date.UTC(2026, 9, 1, 12);
const message: AlarmMessage = {
  ...{ id: 7, kind: 'begun', channel: 'webhook', madeAt: at, attempts: 0 },
  alarm: {
    ...{
      id: 3,
      condition: 'platform-gone',
      subject: 'tiktok',
      text: 'TikTok cannot be read: <4> & @everyone.',
    },
    ...{ since: at, seenAt: at, notifiedAt: at, endedAt: null },
  },
};
const text = ['Clipferry', 'cannot be read', '4', 'https://site.example/operator/alarms/platform-gone'];

test.each<[kind: string, url: string, sentTo: string, body: object]>([
  [
    'Slack',
    'https://hooks.slack.com/services/T/B/x',
    '',
    { text: expect.stringContaining('&lt;4&gt; &amp; @') },
  ],
  [
    'Discord',
    'https://discord.com/api/webhooks/1/x',
    '',
    { content: expect.stringContaining('<4> &'), allowed_mentions: { parse: [] } },
  ],
  [
    'Telegram',
    'https://api.telegram.org/bot1:x/sendMessage?chat_id=-42',
    'https://api.telegram.org/bot1:x/sendMessage',
    { chat_id: '-42', text: expect.stringContaining('<4> &'), link_preview_options: { is_disabled: true } },
  ],
  [
    'ntfy',
    'https://ntfy.sh/my-site?auth=abc',
    'https://ntfy.sh/?auth=abc',
    {
      ...{ topic: 'my-site', title: '[Clipferry] The platform cannot be read', priority: 5 },
      message: expect.stringContaining('<4> &'),
      ...{ tags: ['rotating_light'], click: 'https://site.example/operator/alarms/platform-gone' },
    },
  ],
])('%s is sent what it shows', (_, url, sentTo, body) => {
  expect(webhookRequest(url, message, sender)).toEqual({ url: sentTo || url, body });
});

test('others are sent all of it', () => {
  const url = 'https://hooks.example/1';
  const { body } = webhookRequest(url, message, sender);
  expect(body).toMatchObject({ kind: 'begun', alarm: { condition: 'platform-gone', severity: 'critical' } });
  for (const part of text) expect((body as { text: string }).text).toContain(part);
});

test('without a desk no message leads to it', () => {
  const { lines } = wordsOf(message, { ...sender, hasDesk: false });
  expect(lines.join(' ')).not.toContain('/operator');
  expect(webhookRequest('https://ntfy.sh/x', message, { ...sender, hasDesk: false }).body).not.toHaveProperty(
    'click',
  );
});

test('a test says that it is one', () => {
  const { title, lines } = wordsOf(testMessage(1, 'mail', at), sender);
  expect(title).toBe('[Clipferry] A test of the alarms');
  expect(lines).toContain('https://site.example/operator/alarms');
});
