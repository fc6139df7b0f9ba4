import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTime, writeTime } from './time-text.ts';

test.each([
  ['12.5', 12_500],
  ['0:12,5', 12_500],
  [' 1:02:03.045 ', 3_723_045],
  ['٠:١٢٫٥', 12_500],
  ['१:०२', 62_000],
  ['๑๐', 10_000],
  ['１：０２．５', 62_500],
  ['1000000000', 1_000_000_000_000],
  ['0.1234567', 123],
  ['', null],
  ['-1', null],
  ['1e9', null],
  ['NaN', null],
  ['1:2:3:4', null],
  ['12345678901234567890', null],
])('"%s" is %s ms', (text, ms) => {
  expect(readTime(text)).toBe(ms);
});

test('reads a time as it writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000 }), (ms) => {
      expect(readTime(writeTime(ms, 3))).toBe(ms);
      expect(Math.abs((readTime(writeTime(ms)) ?? Number.NaN) - ms)).toBeLessThanOrEqual(50);
    }),
  );
  expect([writeTime(0), writeTime(59_960), writeTime(62_500)]).toEqual(['0:00.0', '1:00.0', '1:02.5']);
});
