import { expect, test } from 'vitest';
import { keepBriefly } from './kept.ts';

test('reads a page once in five seconds for all callers, and again after a failure', async () => {
  let time = 1;
  let reads = 0;
  const kept = keepBriefly<{ readonly number: number }>(() => time);
  const read = async () => ({ number: ++reads });
  const [one, other] = await Promise.all([kept('day', read), kept('day', read)]);
  expect(other).toBe(one);
  expect(await kept('year', read)).toEqual({ number: 2 });
  time += 4999;
  expect(await kept('day', read)).toBe(one);
  time += 2;
  expect(await kept('day', read)).toEqual({ number: 3 });
  time += 6000;
  await expect(kept('day', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await kept('day', read)).toEqual({ number: 4 });
});
