import { expect, test } from 'vitest';
import type { AlarmMessage } from './alarm-store.ts';
import { testMessage, webhookRequest, wordsOf } from './messages.ts';

const sender = {
  ...{ name: 'Clipferry', domain: 'site.example', origin: 'https://site.example', hasDesk: true },
};
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
