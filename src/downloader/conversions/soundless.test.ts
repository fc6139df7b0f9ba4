import { expect, test } from 'vitest';
import { isSoundless, markedSoundless, withoutStaleSoundless } from './soundless.ts';

test('a marked validator stays one, and tells that the sound is missing', () => {
  expect(markedSoundless('"abc"', true)).toMatch(/^"[\w-]+"$/);
  expect([markedSoundless('"abc"', true), markedSoundless('"abc"', false)].map(isSoundless)).toEqual([
    true,
    false,
  ]);
});

test('a video without its sound is made again after five minutes, any other is not', async () => {
  let closed = 0;
  const fileOf = (etag: string) => ({
    ...{ length: 1, etag, madeAt: 0, read: async () => 0 },
    close: async () => void closed++,
  });
  const storeAt = (now: number) =>
    withoutStaleSoundless({ open: async (key) => fileOf(key), facts: async (key) => fileOf(key) }, () => now);
  const marked = markedSoundless('"a"', true);
  for (const [now, etag, isThere] of [
    [300_000, marked, true],
    [300_001, marked, false],
    [3_000_000, '"a"', true],
  ] as const) {
    expect((await storeAt(now).open(etag)) !== null).toBe(isThere);
    expect((await storeAt(now).facts(etag)) !== null).toBe(isThere);
  }
  expect(closed).toBe(1);
});
