import { describeDistributedSingleFlight } from './distributed-single-flight-suite.ts';
import { createMemorySingleFlight } from './memory-single-flight.ts';

describeDistributedSingleFlight('in memory', async () => {
  const work = createMemorySingleFlight();
  return { one: work, other: work, close: async () => {} };
});
