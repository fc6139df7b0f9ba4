import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalJson, terminalText } from './print.ts';

const commanding = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const anything = fc.string({ unit: 'binary' });

test('JSON for a terminal has the same value, and contains no terminal commands', () => {
  fc.assert(
    fc.property(fc.jsonValue(), anything, fc.constantFrom(0, 2), (value, text, indent) => {
      const given = { value, text, csi: '\u009b31m', turned: '\u202e', tag: '\u{e0041}' };
      const printed = terminalJson(given, indent);
      expect(printed.replaceAll('\n', '')).not.toMatch(commanding);
      expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

test('text for a terminal keeps only its lines', () => {
  expect(terminalText('a\u009b31mb\nc\u001b[2J\r\u202ed')).toBe('a\ufffd31mb\nc\ufffd[2J\ufffd\ufffdd');
});
