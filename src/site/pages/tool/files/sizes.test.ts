import { expect, test } from 'vitest';
import { formatBytes, formatLength, isoDuration } from './sizes.ts';

test('Arabic sizes are short in both units', () => {
  expect(formatBytes(4_800_000, 'ar')).toBe('4.8 م.ب');
  expect(formatBytes(755_000, 'ar')).toBe('755 ك.ب');
});

test('sizes are in decimal units, in the language’s own way', () => {
  expect(formatBytes(4_810_000, 'en')).toBe('4.8 MB');
  expect(formatBytes(999_400, 'de')).toBe('999 kB');
  expect(formatBytes(123_456_789, 'fr')).toMatch(/^123\sMo$/);
});

test.each([
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [99_900_000, '99.9 MB'],
  [100_400_000, '100 MB'],
  [0, '1 kB'],
])('%i bytes are %s', (bytes, shown) => {
  expect(formatBytes(bytes, 'en')).toBe(shown);
});

test.each([
  [-1, '0:00', 'PT0S'],
  [9.4, '0:09', 'PT9S'],
  [59.6, '1:00', 'PT60S'],
  [3599, '59:59', 'PT3599S'],
  [3600, '1:00:00', 'PT3600S'],
  [7384, '2:03:04', 'PT7384S'],
])('%d s are shown as %s', (seconds, shown, iso) => {
  expect(formatLength(seconds, 'en')).toBe(shown);
  expect(isoDuration(seconds)).toBe(iso);
});
