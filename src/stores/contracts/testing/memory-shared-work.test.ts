import { createMemoryWork } from './memory-shared-work.ts';
import { describeSharedWork } from './shared-work-suite.ts';

describeSharedWork('in memory', async () => {
  const work = createMemoryWork();
  return { one: work, other: work, close: async () => {} };
});
