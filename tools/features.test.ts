import { afterAll, expect, test } from 'vitest';
import { copySources } from '../tests/support/without-feature.ts';

const copy = copySources();
afterAll(copy.remove);

/** With a page of its own, commands, a part of the server and slots; `tests/audits/features.test.ts` tries every feature. */
const telling = 'status';

test('a feature is taken out by deleting its folder and its line', { timeout: 120_000 }, async () => {
  expect(await copy.without(telling)).toEqual([]);
});
