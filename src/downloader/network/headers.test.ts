import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseContentLength, parseContentRange, parseUnsatisfiedSize } from './headers.ts';

it('reads every valid range back', () => {
  const position = fc.integer({ min: 0, max: 1e14 });
  fc.assert(
    fc.property(position, position, position, (start, more, rest) => {
      const range = { start, end: start + more + 1, size: start + more + 1 + rest };
      expect(parseContentRange(`bytes ${start}-${range.end - 1}/${range.size}`)).toEqual(range);
      expect(parseContentRange(`bytes ${start}-${range.end - 1}/*`)).toEqual({ ...range, size: null });
    }),
  );
});

it('returns only ranges inside the file', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^bytes \d{0,4}-\d{0,4}\/(\d{0,4}|\*)$/), (value) => {
      const range = parseContentRange(value);
      return range === null || (range.start < range.end && (range.size === null || range.end <= range.size));
    }),
  );
});

it.each([
  '',
  'bytes 0-1',
  'bytes */5',
  'bytes 5-4/10',
  'bytes 0-10/10',
  'items 0-1/2',
  `bytes 0-1/${'9'.repeat(30)}`,
])('refuses %j', (value) => expect(parseContentRange(value)).toBeNull());

it('reads the size of a 416, and lengths', () => {
  expect(parseUnsatisfiedSize('bytes */5')).toBe(5);
  expect(parseUnsatisfiedSize('bytes 0-1/5')).toBeNull();
  expect([parseContentLength('12'), parseContentLength('-1'), parseContentLength('')]).toEqual([
    12,
    null,
    null,
  ]);
});
