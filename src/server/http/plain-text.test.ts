import fc from 'fast-check';
import { expect, test } from 'vitest';
import { controlCharacterIn, isPlainText, plainText } from './plain-text.ts';

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

test.each([
  ['a', null],
  [{ a: [1, null, true, { b: 'c' }], d: undefined }, null],
  ['\0', []],
  [
    ['a', { b: 'c\nd' }],
    ['1', 'b'],
  ],
  [{ a: { 'b\t': 1 } }, ['a']],
])('finds the control character in %j', (value, path) => {
  expect(controlCharacterIn(value)).toEqual(path);
});

test('finds what else may not stand in a text', () => {
  expect(controlCharacterIn({ a: '\n' }, (text) => text !== 'x')).toBe(null);
  expect(controlCharacterIn({ a: ['\n', 'x'] }, (text) => text !== 'x')).toEqual(['a', '1']);
});
