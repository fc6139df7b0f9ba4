import { expect, test } from 'vitest';
import type { DroppedTexts, SharedTexts } from '../../stores/contracts/shared-texts.ts';
import { describeSharedTexts } from '../../stores/contracts/testing/shared-texts-suite.ts';
import { createMemoryTexts } from './memory-texts.ts';
import { withSpareTexts } from './spare-texts.ts';

/** Texts whose server can go away; they are all dropped when it is back, as the real ones are told to be. */
function createShakyTexts(): SharedTexts & { isAway: boolean } {
  const inner = createMemoryTexts(10_000);
  const listeners: ((dropped: DroppedTexts) => void)[] = [];
  let isAway = false;
  return {
    ...inner,
    get isAway() {
      return isAway;
    },
    set isAway(value) {
      isAway = value;
      if (!value) for (const listener of listeners) listener('all');
    },
    get drops() {
      return isAway ? null : inner.drops;
    },
    onDrop(listener) {
      listeners.push(listener);
      inner.onDrop(listener);
    },
  };
}

const text = (word: string) => ({ text: Buffer.from(word), label: '' });

describeSharedTexts('with a spare place', async () => {
  const texts = withSpareTexts(createMemoryTexts(10_000), createMemoryTexts(10_000));
  return { one: texts, other: texts, close: async () => {} };
});

test('while they cannot be asked the spare place is used, and forgotten afterwards', async () => {
  const shaky = createShakyTexts();
  const texts = withSpareTexts(shaky, createMemoryTexts(10_000));
  await texts.keep('a', text('shared'), 60_000, texts.drops);
  shaky.isAway = true;
  expect(await texts.get('a')).toBeNull();
  await texts.keep('a', text('spare'), 60_000, texts.drops);
  expect((await texts.get('a'))?.text.toString()).toBe('spare');
  const before = texts.drops;
  await texts.drop({ keys: [] });
  await texts.keep('a', text('old'), 60_000, before);
  expect((await texts.get('a'))?.text.toString()).toBe('spare');
  const begunAway = texts.drops;
  shaky.isAway = false;
  expect((await texts.get('a'))?.text.toString()).toBe('shared');
  await texts.keep('a', text('old'), 60_000, begunAway);
  expect((await texts.get('a'))?.text.toString()).toBe('shared');
  shaky.isAway = true;
  expect(await texts.get('a')).toBeNull();
});
