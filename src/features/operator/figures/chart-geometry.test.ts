import { expect, test } from 'vitest';
import { stackedBars } from './chart-geometry.ts';

const hourMs = 3_600_000;
const midnight = Date.UTC(2026, 10, 24);

test('bars are stacked from the base of the plot, within its width', () => {
  const values = Array.from({ length: 24 }, (_, at) => ({ at: midnight + at * hourMs, totals: [at, 10] }));
  const { bars, xTicks, yTicks } = stackedBars(values, hourMs);
  // The first hour has no value of the first series.
  expect(bars).toHaveLength(47);
  const of = (at: number) => bars.filter(({ key }) => key.endsWith(String(midnight + at * hourMs)));
  const [lower, upper] = of(23);
  if (lower === undefined || upper === undefined) throw new Error('no bars');
  expect(lower.y + lower.height).toBeCloseTo(100);
  expect(upper.y + upper.height).toBeCloseTo(lower.y);
  expect(upper.y).toBeGreaterThanOrEqual(0);
  expect(upper.height / lower.height).toBeCloseTo(10 / 23);
  expect(lower.x + lower.width).toBeLessThanOrEqual(1000);
  expect(xTicks.map(({ label }) => label)).toEqual(['06:00', '12:00', '18:00']);
  expect(yTicks.map(({ label }) => label)).toEqual(['10', '20', '30', '40']);
});

test('a chart without data has no bars', () => {
  expect(stackedBars([], hourMs).bars).toEqual([]);
  expect(stackedBars([{ at: midnight, totals: [0] }], hourMs).bars).toEqual([]);
});

test('bars of shares fill the plot, and hours without data stay empty', () => {
  const shares = [
    [1, 0],
    [0, 0],
    [0.25, 0.75],
  ].map((totals, at) => ({ at: midnight + at * hourMs, totals }));
  const { bars } = stackedBars(shares, hourMs, 1);
  expect(bars.map(({ series, y, height }) => [series, y, height])).toEqual([
    [0, 0, 100],
    [0, 75, 25],
    [1, 0, 75],
  ]);
});
