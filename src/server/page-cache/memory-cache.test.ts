import { describeSharedCache } from '../../stores/contracts/testing/shared-cache-suite.ts';
import { createMemoryCache } from './memory-cache.ts';

describeSharedCache('in memory', async () => {
  const texts = createMemoryCache(10_000);
  return { one: texts, other: texts, close: async () => {} };
});
