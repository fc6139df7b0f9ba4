import { expect, test } from 'vitest';
import { growthOf, linear } from '../../tests/support/growth.ts';
import { serializeError } from './logger.ts';
import { errorsWith } from './testing/errors-with.ts';

const kinds = Object.keys(errorsWith(1)) as (keyof ReturnType<typeof errorsWith>)[];

test.each(kinds)('sent text in %s', (kind) => {
  const growth = growthOf((scale) => {
    const thrown = errorsWith(scale * 300)[kind];
    return () => void JSON.stringify(serializeError(thrown));
  });
  expect(growth).toBeLessThan(linear);
});
