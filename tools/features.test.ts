import { afterAll, expect, test } from 'vitest';
import { copySources } from '../tests/support/without-feature.ts';

const copy = copySources({ isWhole: false });
afterAll(copy.remove);

/** A feature with a page, commands, a server part and slots; `tests/audits/features.test.ts` tries every feature. */
const telling = 'status';

test('a feature can be removed by deleting its folder and its line', { timeout: 120_000 }, async () => {
  expect(await copy.without(telling)).toEqual([]);
});
