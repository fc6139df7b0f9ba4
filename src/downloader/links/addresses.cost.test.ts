import { expect, test } from 'vitest';
import { growthOf, linear } from '../../../tests/support/growth.ts';
import { outcome } from './testing/links-fixture.ts';

const pieces = [
  'https://',
  '.',
  ',',
  '/',
  '@',
  'a.',
  '//',
  '%2e',
  'https://www.tiktok.com/',
  '\u200b',
  'vm.tiktok.com/',
  'https:',
  'h',
  'a:',
  '&#47;',
  '\\/',
  ' / ',
  ' ',
  'https%3A',
  'data-video-id=',
];

test.each(pieces)('text of %j', (piece) => {
  const growth = growthOf((scale) => {
    const text = piece.repeat((5_000 * scale) / piece.length);
    return () => outcome(text);
  });
  expect(growth).toBeLessThan(linear);
});
