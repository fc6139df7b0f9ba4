import { expect, test } from 'vitest';
import { joined } from './joined.ts';

test('what two owners have by one name is refused', () => {
  expect(joined('call', [{ one: 1 }, undefined, { two: 2 }])).toEqual({ one: 1, two: 2 });
  expect(() => joined('call', [{ one: 1 }, { one: 2 }])).toThrow('call "one"');
});
