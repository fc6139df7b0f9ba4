import { expect, it } from 'vitest';
import { breakingPoints } from './breaking.ts';
import { loadOf } from './model.ts';
import { costs, limits, mix, tenASecond } from './testing/round-figures.ts';

const points = breakingPoints(costs, mix, limits);
const at = (name: string) => points.find((point) => point.name === name)?.downloadsPerDay ?? Number.NaN;

it('says at how many downloads a day each is used up, the first first', () => {
  const volumes = points.map(({ downloadsPerDay }) => downloadsPerDay);
  expect(volumes).toEqual(volumes.toSorted((one, other) => one - other));
  // 5 pages of the platform at ten downloads a second, of 2.
  expect(at('one address to the platform')).toBeCloseTo(tenASecond / 2.5);
  expect(at("one machine's cores")).toBeCloseTo((tenASecond * 2) / 1.393, -2);
  expect(at('one PostgreSQL')).toBeCloseTo((tenASecond * 1000) / 104, -2);
});

it('agrees with the load at that point, also where it grows in steps', () => {
  const one = loadOf(at('one Redis'), costs, mix, limits);
  expect(one.redisPerSecond).toBeLessThanOrEqual(limits.redisPerSecond);
  expect(one.redisPerSecond).toBeGreaterThan(0.99 * limits.redisPerSecond);
  expect(loadOf(at("one machine's memory"), costs, mix, limits).memoryGb).toBeLessThanOrEqual(1);
});

it('leaves out what was not measured', () => {
  const names = breakingPoints({ ...costs, redis: null, writes: null }, mix, limits).map(({ name }) => name);
  expect(names).toHaveLength(5);
  expect(names).not.toContain('one Redis');
  expect(names).not.toContain('one PostgreSQL');
});
