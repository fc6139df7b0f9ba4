import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainText, plainText } from './plain-text.ts';

test.each(['', 'Pixel 9', 'Ivančić – 東京 👩‍👩‍👧', 'a\u00a0b'])('%j is plain', (text) => {
  expect(isPlainText(text)).toBe(true);
});

test.each(['\0', 'a\0b', 'a\nb', '\t', '\u001b[31m', '\u007f', 'a\u0085b', '\u009b'])(
  '%j is not plain',
  (text) => {
    expect(isPlainText(text)).toBe(false);
  },
);

test('refuses a control character anywhere', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.oneof(fc.integer({ min: 0, max: 0x1f }), fc.integer({ min: 0x7f, max: 0x9f })),
      fc.string(),
      (before, code, after) => {
        const text = before + String.fromCharCode(code) + after;
        expect(plainText(text.length).safeParse(text).success).toBe(false);
      },
    ),
  );
});

test('refuses text longer than the limit', () => {
  expect(plainText(3).safeParse('abc').success).toBe(true);
  expect(plainText(3).safeParse('abcd').success).toBe(false);
});
