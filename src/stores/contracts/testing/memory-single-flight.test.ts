import { createMemorySingleFlight } from './memory-single-flight.ts';
import { describeDistributedSingleFlight } from './distributed-single-flight-suite.ts';

describeDistributedSingleFlight('in memory', async () => {
  const work = createMemorySingleFlight();
  return { one: work, other: work, close: async () => {} };
});
