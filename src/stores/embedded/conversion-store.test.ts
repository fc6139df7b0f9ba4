import { describeConversionStore } from '../contracts/testing/conversion-store-suite.ts';
import { createConversionStore } from './conversion-store.ts';

describeConversionStore('in process', async () => {
  let time = 0;
  const store = createConversionStore({ now: () => time });
  return {
    one: store,
    other: store,
    async pass(ms) {
      time += ms;
    },
    close: async () => {},
  };
});
