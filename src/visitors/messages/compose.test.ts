import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { composeMail } from './compose.ts';
import type { Message } from './messages.ts';

const message = (change: Partial<Message>): Message => ({
  id: 7,
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

const route = { to: 'desk@clipferry.example', from: 'site@clipferry.example', domain: 'clipferry.example' };

async function rendered(change: Partial<Message>): Promise<{ headers: string[]; envelope: unknown }> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const sent = await transport.sendMail(composeMail(message(change), route));
  const [head = ''] = String(sent.message).split('\n\n');
  return { headers: head.replace(/\n[ \t]+/g, ' ').split('\n'), envelope: sent.envelope };
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

test('whatever a visitor writes, the mail has the headers and the recipient that it should have, and no others', async () => {
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
      const { headers, envelope } = await rendered({ name, email, subject, fields: { message: text } });
      for (const header of headers) expect(names).toContain(header.slice(0, header.indexOf(':')));
      expect(new Set(headers.map((header) => header.slice(0, header.indexOf(':')))).size).toBe(
        headers.length,
      );
      expect(envelope).toEqual({ from: route.from, to: [route.to] });
    }),
    { numRuns: 300 },
  );
});

test('a mail comes from the site, is answered to the visitor, and has one name at every attempt', async () => {
  const { headers } = await rendered({ mailAttempts: 3 });
  expect(headers).toEqual(
    expect.arrayContaining([
      'From: "clipferry.example" <site@clipferry.example>',
      'To: desk@clipferry.example',
      'Reply-To: Ada <ada@example.org>',
      'Subject: [clipferry.example] A question',
      `Message-ID: <message-7-${Date.UTC(2026, 10, 21)}@clipferry.example>`,
    ]),
  );
});
