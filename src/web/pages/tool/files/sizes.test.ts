import { expect, test } from 'vitest';
import { formatBytes } from './sizes.ts';

test('Arabic sizes are short in both units', () => {
  expect(formatBytes(4_800_000, 'ar')).toBe('4.8 م.ب');
  expect(formatBytes(755_000, 'ar')).toBe('755 ك.ب');
});

test('sizes are in decimal units, in the language’s own way', () => {
  expect(formatBytes(4_810_000, 'en')).toBe('4.8 MB');
  expect(formatBytes(999_400, 'de')).toBe('999 kB');
  expect(formatBytes(123_456_789, 'fr')).toMatch(/^123\sMo$/);
});
