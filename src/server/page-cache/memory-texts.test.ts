import { describeSharedTexts } from '../../stores/contracts/testing/shared-texts-suite.ts';
import { createMemoryTexts } from './memory-texts.ts';

describeSharedTexts('in memory', async () => {
  const texts = createMemoryTexts(10_000);
  return { one: texts, other: texts, close: async () => {} };
});
