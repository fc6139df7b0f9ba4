import { expect, test } from 'vitest';
import { createReadings } from './page-views.ts';

const visitor = (name: string, block = 'block') => ({ key: name, block });

test('an article counts once an hour for each visitor', () => {
  let now = 1;
  const isNew = createReadings(() => now);
  const read = (name: string, article: string) => isNew(visitor(name), article);
  expect([read('a', 'en/one'), read('a', 'en/one'), read('a', 'de/one'), read('b', 'en/one')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  now += 3_599_000;
  expect(read('a', 'en/one')).toBe(false);
  now += 3000;
  expect(read('a', 'en/one')).toBe(true);
});

test('an address block counts for eighty readers of an article in an hour; other blocks count separately', () => {
  let now = 1;
  const isNew = createReadings(() => now);
  const count = (from: number, block: string) =>
    Array.from({ length: 100 }, (_, n) => isNew(visitor(`${block} ${from + n}`, block), 'en/one')).filter(
      Boolean,
    ).length;
  expect([count(0, 'x'), count(100, 'x'), count(0, 'y')]).toEqual([80, 0, 80]);
  now += 3_602_000;
  expect(count(200, 'x')).toBe(80);
});

test('limits what it remembers', () => {
  const isNew = createReadings(() => 1);
  expect(isNew(visitor('a'), 'en/first')).toBe(true);
  for (let n = 0; n < 50_000; n += 1) isNew(visitor('b', `${n}`), `en/${n}`);
  expect(isNew(visitor('a'), 'en/first')).toBe(true);
});
