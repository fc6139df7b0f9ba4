import { MemorySharedBreakers } from './memory-shared-breakers.ts';
import { describeSharedBreakers } from './shared-breakers-suite.ts';

describeSharedBreakers('in memory', async () => {
  const breakers = new MemorySharedBreakers(() => performance.now());
  return { one: breakers.instance(), other: breakers.instance(), close: async () => {} };
});
