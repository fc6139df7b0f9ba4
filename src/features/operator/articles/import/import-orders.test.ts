import { expect, test } from 'vitest';
import { firstProblems } from './import-orders.ts';

test('an answer has the first hundred mistakes with names of two hundred characters, and says how many more there are', () => {
  const file = 'n'.repeat(60_000);
  const all = Array.from({ length: 20_000 }, (_, line) => ({ file, line, reason: `${file} is wrong` }));
  const { problems, more } = firstProblems(all);
  expect([problems.length, more]).toEqual([100, 19_900]);
  expect(problems[99]).toEqual({ file: `${'n'.repeat(200)}…`, line: 99, reason: `${'n'.repeat(200)}…` });
  expect(JSON.stringify(problems).length).toBeLessThan(50_000);
  expect(firstProblems([{ file: 'a', line: 1, reason: 'b' }])).toEqual({
    problems: [{ file: 'a', line: 1, reason: 'b' }],
    more: 0,
  });
});
