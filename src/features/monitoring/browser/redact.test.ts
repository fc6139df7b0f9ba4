import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactAddress, redactSentences, withoutSecrets } from './redact.ts';

const origins = ['https://site.example'];
const redact = redactSentences(withoutSecrets([]), origins);

test.each([
  [
    "Cannot read properties of undefined (reading 'options')",
    "Cannot read properties of undefined (reading 'options')",
  ],
  ['x.y is not a function', 'x.y is not a function'],
  ['Loading chunk route-BJr9sjda failed', 'Loading chunk route-BJr9sjda failed'],
  ['Failed to fetch https://site.example/posts/x?page=2', 'Failed to fetch https://site.example/posts/x'],
  ['Failed to fetch https://other.example/x', 'Failed to fetch [link]'],
  [
    `Unexpected token 'H', "Hello, my n"... is not valid JSON`,
    `Unexpected token 'H', "…"... is not valid JSON`,
  ],
  ['mail to jane@mail.example failed', 'mail to [mail] failed'],
  ['connect ECONNREFUSED 192.0.2.1:5432', 'connect ECONNREFUSED [address]:5432'],
  ['connect ::1 failed', 'connect [address] failed'],
  ['post 7615133378163811813 of @some.one', 'post [number] of [handle]'],
  ['see tiktok.com/@a/video/1', 'see [link]'],
  ['got 3.clipper.Ab_c.mp3.-.AbCdEf12.16r4o.abcdefghijklmnopqrstuvwx back', 'got [ticket] back'],
])('%s', (text, left) => {
  expect(redact(text)).toBe(left);
});

test.each([
  ['https://site.example/de/contact?name=x#y', 'https://site.example/de/contact'],
  ['/api/files/1.v.x.y/status?x=1', '/api/files/:ticket/status'],
  ['https://site.example.evil.example/x', '[link]'],
  ['//evil.example/x', '[link]'],
  ['app:///src/server/app.ts', 'app:///src/server/app.ts'],
])('the address %s', (address, left) => {
  expect(redactAddress(address, origins)).toBe(left);
});

test('removes everything known about a visitor, wherever it stands and however it is written', () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 60, unit: 'grapheme' })
    .filter((text) => text.trim().length >= 4);
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (own, before, behind) => {
      const value = own.trim().split('\n')[0]?.trim() ?? '';
      // The replacement is not a secret.
      fc.pre(value.length >= 4 && !'[…][link]'.includes(value));
      const clean = withoutSecrets([own]);
      for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
        expect(clean(`${before} ${form} ${behind}`)).not.toContain(value);
    }),
  );
});

test('treats each line of a message as one value, however many ways there are to write it', () => {
  const lines = Array.from({ length: 50 }, (_, n) => `täglich "${n}" für mich`);
  const clean = redactSentences(withoutSecrets([lines.join('\n')]), origins);
  for (const line of lines) expect(clean(`no answer for ${line}`)).toBe('no answer for […]');
});

test('reports no sentence when more is known about a visitor than it can search for', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `my line ${n} of a letter`);
  const clean = redactSentences(withoutSecrets([lines.join('\n')]), origins);
  for (const line of lines) expect(clean(`no answer for ${line}`)).toBe('[…]');
});
