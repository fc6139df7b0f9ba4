import { afterAll, expect, test } from 'vitest';
import { copySources, featureNames } from '../support/without-feature.ts';

const copy = copySources();
afterAll(copy.remove);

test.each(featureNames())('%s can be removed by deleting its folder and its line', async (feature) => {
  expect(await copy.without(feature)).toEqual([]);
});
