import { expect, test } from 'vitest';
import { featureNames, mentionsOf } from '../tests/support/without-feature.ts';

// The compiler proves that the rest of the product needs none (`tsconfig.core.json`), the check of imports that none
// needs another; `tests/audits/features.test.ts` takes each one out.
test.each(featureNames())('nothing outside of %s names its folder, but for its line', (feature) => {
  expect(mentionsOf(feature)).toEqual([]);
});
