import fc from 'fast-check';
import { expect, test } from 'vitest';
import { consentValue, consentVersion, effectiveConsent, parseConsent } from './consent-cookie.ts';

const all = { statistics: true, marketing: true };
const none = { statistics: false, marketing: false };

test('reads an answer as it was written, and only for the question that was asked', () => {
  expect(consentValue({ statistics: true, marketing: false }, 3)).toBe('3.10');
  for (const statistics of [true, false])
    for (const marketing of [true, false])
      expect(parseConsent(consentValue({ statistics, marketing }))).toEqual({ statistics, marketing });
  expect(parseConsent(consentValue(all, consentVersion + 1))).toBeNull();
  expect(parseConsent('1.11', 2)).toBeNull();
});

test.each([null, '', '1', '1.', '1.1', '1.111', '01.11', '1.12', ' 1.11', '1.11;'])(
  '%j is not an answer',
  (value) => expect(parseConsent(value)).toBeNull(),
);

test('accepts nothing but an answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('0', '1', '2', '.', ' '), maxLength: 6 }), (value) => {
      expect(parseConsent(value) !== null).toBe(/^1\.[01][01]$/.test(value));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['required', null, false, none],
  ['required', all, false, all],
  ['required', all, true, none],
  ['implied', null, false, all],
  ['implied', none, false, none],
  ['implied', null, true, none],
  ['off', all, false, none],
] as const)('%s, answered %j, refused by the browser: %s', (mode, answer, isRefused, expected) => {
  expect(effectiveConsent(mode, answer, isRefused)).toEqual(expected);
});
