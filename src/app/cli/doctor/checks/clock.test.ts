import { expect, test } from 'vitest';
import { skewFinding } from './clock.ts';

test.each([
  [0.4, 'ok', '0.4 s ahead of them'],
  [-4, 'ok', '4.0 s behind them'],
  [20, 'warning', '20.0 s ahead of them'],
  [-3600, 'error', '3600.0 s behind them'],
  [Number.NaN, 'warning', 'them does not say what time it is'],
] as const)('%d s: %s', (s, level, what) => {
  expect(skewFinding(s, 'them')).toMatchObject({ level, what });
});
