import { expect, test } from 'vitest';
import { readReference, referenceOf } from './reference.ts';

test('consecutive messages have references that are not consecutive', () => {
  const names = Array.from({ length: 500 }, (_, id) => referenceOf(id + 1, 1_790_000_000_000));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(readReference(name)).toBe(name);
  expect(referenceOf(1, 1_790_000_000_001)).not.toBe(names[0]);
});

test('reads a reference however it is typed, and nothing else', () => {
  expect(readReference(' k7q f2m ')).toBe('K7Q-F2M');
  expect(readReference('K7QF2M')).toBe('K7Q-F2M');
  for (const text of ['', '12', 'K7Q-F2', 'K7Q-F2MM', 'A7Q-F2M', '123-456'])
    expect(readReference(text)).toBe(null);
});
