import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactionsFor } from './clean-envelope.ts';
import { isOversized } from './monitoring.ts';
import { secretsOf } from './secrets.ts';
import {
  brokenRecording,
  busyEvents,
  clean,
  cookies,
  envelope,
  fill,
  largestBodies,
  largestRecordings,
  maxBytes,
  recording,
  requestWith,
} from './testing/large-reports.ts';

test.each(largestRecordings)(
  'leaves no secret in a recording of the largest size: %s',
  (_, data, secrets) => {
    const body = envelope(recording(data));
    expect(body.length).toBeLessThanOrEqual(maxBytes);
    const cleaned = clean(body, secrets);
    for (const secret of secrets) expect(cleaned ?? '').not.toContain(secret);
  },
);

test('refuses a report that breaks off after 400,000 brackets', () => {
  expect(clean(brokenRecording, cookies)).toBe(null);
});

test('reads events with nearly anything in all their places, and many small items', () => {
  for (const body of busyEvents) expect(() => clean(body, cookies)).not.toThrow();
});

test('leaves no secret in any report', () => {
  const secret = fc.string({ minLength: 4, maxLength: 40, unit: fc.constantFrom(...'ab.1@:/ä "') });
  const secrets = fc.array(
    secret.filter((text) => text.trim().length >= 4 && !'[…][link]'.includes(text.trim())),
    { maxLength: 60 },
  );
  const text = fc.string({ maxLength: 30, unit: fc.constantFrom(...'ab.1@:/?= "\\') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(
      fc.constantFrom('href', 'attributes', 'textContent', 'isStyle', 'a b', 'x1'),
      tie('value'),
      { maxKeys: 4 },
    ),
  }));
  fc.assert(
    fc.property(value, secrets, fc.nat(), (piece, own, at) => {
      const planted = own[at % Math.max(1, own.length)] ?? 'none';
      const written = JSON.stringify([
        piece,
        { class: planted, attributes: { class: planted, href: `/${planted}` } },
      ]);
      for (const limit of [
        Number.POSITIVE_INFINITY,
        1 + Math.floor(20_000 / written.split(/[,:[{]/).length),
      ]) {
        const cleaned = clean(envelope(recording(`[${fill(() => written, limit)}]`)), own);
        if (own.length > 0) expect(cleaned ?? '').not.toContain(planted.trim());
      }
    }),
    { numRuns: 60 },
  );
});

test("a browser's recording of a long page is not too large", () => {
  const node = (n: number) => ({
    type: 2,
    tagName: 'li',
    attributes: { class: 'row' },
    childNodes: [{ type: 3, textContent: 'x', id: n }],
    id: n,
  });
  const page = { node: { type: 0, childNodes: Array.from({ length: 1000 }, (_, n) => node(n)), id: 1 } };
  const cleaned = clean(envelope(recording(JSON.stringify(page))), cookies);
  expect(cleaned).toContain('"tagName');
});

test.each([
  ['"', false],
  ['\\"', true],
  [',', false],
])('characters in texts do not count, however a text is written: %s', (signs) => {
  const text = JSON.stringify(signs.repeat(40_000));
  expect(isOversized(Buffer.from(`[${text}]`))).toBe(false);
  expect(isOversized(Buffer.from(`[${text},${'1,'.repeat(30_000)}1]`))).toBe(true);
  // A text that is not one and ends with its line.
  expect(isOversized(Buffer.from(`"\n[${'1,'.repeat(30_000)}1]`))).toBe(true);
});

test('a report has at most 32 lines, and 24,000 names and values', () => {
  expect(isOversized(Buffer.from('\n'.repeat(31)))).toBe(false);
  expect(isOversized(Buffer.from('\n'.repeat(32)))).toBe(true);
  for (const sign of [',', ':', '[', '{']) {
    expect(isOversized(Buffer.from(sign.repeat(24_000)))).toBe(false);
    expect(isOversized(Buffer.from(sign.repeat(24_001)))).toBe(true);
  }
});

test.each(largestBodies)('says nothing of an error when a visitor has sent too much: %s', (_, body) => {
  expect(redactionsFor(secretsOf(requestWith(body)), []).sentence('an error')).toBe('[…]');
});

test('passes on no recording when more is known about a visitor than it can search for', () => {
  const many = Array.from({ length: 100 }, (_, n) => `value of cookie ${n}`);
  expect(clean(envelope(recording('["value of cookie 99"]')), many)).toBe('null');
});
