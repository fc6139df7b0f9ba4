import { expect, test } from 'vitest';
import { meets } from './above-page.ts';

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

const tool = box(100, 100, 200, 100);

test.each([
  ['across a corner', box(50, 50, 100, 100), true],
  ['inside', box(150, 120, 20, 20), true],
  ['around', box(0, 0, 900, 900), true],
  ['by two pixels', box(298, 100, 50, 50), true],
  ['by the part of a pixel', box(299.5, 100, 50, 50), false],
  ['beside', box(300, 100, 50, 50), false],
  ['below', box(100, 220, 200, 50), false],
  ['above', box(100, 0, 200, 80), false],
])('something %s', (_, one, expected) => {
  expect(meets(one, tool)).toBe(expected);
});

test('nothing covers an element without a size', () => {
  expect(meets(box(0, 0, 900, 900), box(100, 100, 0, 100))).toBe(false);
  expect(meets(box(0, 0, 900, 900), box(100, 100, 200, 0))).toBe(false);
});
