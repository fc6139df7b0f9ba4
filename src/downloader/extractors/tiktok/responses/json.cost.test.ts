import { expect, test } from 'vitest';
import { growthOf, linear } from '../../../../../tests/support/growth.ts';
import { sliceOfObject } from './json.ts';
import { key, longRuns } from './testing/long-runs.ts';

test.each(longRuns)('long runs of %s', (_, textOf) => {
  const growth = growthOf((scale) => {
    // Both lengths fit into a cache shared with other programs.
    const bytes = Buffer.from(textOf(500 * scale));
    return () => sliceOfObject(bytes, key, 0, bytes.length);
  });
  expect(growth).toBeLessThan(linear);
});
