import fc from 'fast-check';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { expect, test } from 'vitest';
import type { Message } from '../messages.ts';
import { composeAcknowledgement, composeMail } from './compose.ts';

const message = (change: Partial<Message>): Message => ({
  id: 7,
  reference: 'K7Q-F2M',
  form: 'contact',
  locale: 'en',
  name: 'Ada',
  email: 'ada@example.org',
  subject: 'A question',
  fields: { message: 'Text.' },
  unwanted: false,
  madeAt: Date.UTC(2026, 10, 21),
  mailState: 'waiting',
  mailAttempts: 1,
  mailedAt: null,
  ...change,
});

const route = {
  to: 'desk@clipferry.example',
  from: 'site@clipferry.example',
  name: 'Clipferry',
  domain: 'clipferry.example',
};

async function rendered(
  mail: SendMailOptions,
): Promise<{ headers: string[]; envelope: unknown; whole: string }> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const sent = await transport.sendMail(mail);
  const [head = ''] = String(sent.message).split('\n\n');
  const headers = head.replace(/\n[ \t]+/g, ' ').split('\n');
  return { headers, envelope: sent.envelope, whole: String(sent.message) };
}

const names = [
  'From',
  'To',
  'Reply-To',
  'Subject',
  'Message-ID',
  'Content-Transfer-Encoding',
  'Date',
  'MIME-Version',
  'Content-Type',
];

test('the mail has only the intended headers and recipient, whatever a visitor writes', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          '\r',
          '\n',
          '\r\n',
          '\u2028',
          '\0',
          '\t',
          'Bcc: x@evil.example',
          '<',
          '>',
          '"',
          ',',
          ';',
          ':',
          'é',
          '=?utf-8?B?DQpCY2M6?=',
        ),
        {
          maxLength: 12,
        },
      )
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, hostile, async (name, email, subject, text) => {
      const { headers, envelope } = await rendered(
        composeMail(message({ name, email, subject, fields: { message: text } }), route),
      );
      for (const header of headers) expect(names).toContain(header.slice(0, header.indexOf(':')));
      expect(new Set(headers.map((header) => header.slice(0, header.indexOf(':')))).size).toBe(
        headers.length,
      );
      expect(envelope).toEqual({ from: route.from, to: [route.to] });
    }),
    { numRuns: 300 },
  );
});

test('a mail comes from the site, is answered to the visitor, and has the same name at every attempt', async () => {
  const { headers } = await rendered(composeMail(message({ mailAttempts: 3 }), route));
  expect(headers).toEqual(
    expect.arrayContaining([
      'From: Clipferry <site@clipferry.example>',
      'To: desk@clipferry.example',
      'Reply-To: Ada <ada@example.org>',
      'Subject: [Clipferry] A question',
      `Message-ID: <message-7-${Date.UTC(2026, 10, 21)}@clipferry.example>`,
    ]),
  );
});

test('an acknowledgement goes to the visitor only, contains nothing of their text, and asks no program to answer', async () => {
  const theirs = message({
    name: 'Buy pills',
    email: 'victim@example.org',
    subject: 'Win a prize',
    fields: { message: 'https://evil.example/' },
  });
  const words = { subject: 'Bekommen (#7)', text: 'Danke. Nummer 7.\n', lang: 'de' };
  const { headers, envelope, whole } = await rendered(composeAcknowledgement(theirs, route, words));
  expect(envelope).toEqual({ from: route.from, to: ['victim@example.org'] });
  expect(headers).toEqual(
    expect.arrayContaining([
      'From: Clipferry <site@clipferry.example>',
      'To: victim@example.org',
      'Reply-To: Clipferry <desk@clipferry.example>',
      'Subject: Bekommen (#7)',
      'Auto-Submitted: auto-replied',
      'Content-Language: de',
      `Message-ID: <acknowledgement-7-${Date.UTC(2026, 10, 21)}@clipferry.example>`,
    ]),
  );
  expect(whole).not.toMatch(/pills|prize|evil/);
});
