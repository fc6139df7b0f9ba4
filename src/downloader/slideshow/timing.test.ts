import { expect, it } from 'vitest';
import { timeSlides } from './timing.ts';

it.each([
  ['ten pictures over half a minute', 10, 30, { durationS: 30, eachS: 3, fadeS: 0.4 }],
  ['without a sound', 4, null, { durationS: 10, eachS: 2.5, fadeS: 0.4 }],
  ['one picture for all of its sound', 1, 12, { durationS: 12, eachS: 12, fadeS: 0.4 }],
  ['a short sound, in shorter cross-fades', 10, 6, { durationS: 6, eachS: 0.6, fadeS: 0.2 }],
  ['no flicker, however short the sound is', 30, 2, { durationS: 15, eachS: 0.5, fadeS: 0.5 / 3 }],
])('times %s', (_, count, soundS, timing) => {
  const { durationS, eachS, fadeS } = timeSlides(count, soundS);
  expect([durationS, eachS]).toEqual([timing.durationS, timing.eachS]);
  expect(fadeS).toBeCloseTo(timing.fadeS, 9);
});
