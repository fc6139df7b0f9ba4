import { expect, test } from 'vitest';
import { lacksOf, markedLacking, withoutStaleLacking } from './lacks.ts';

test.each([{}, { isSoundless: true }, { missingPictures: 3 }, { isSoundless: true, missingPictures: 35 }])(
  'a marked validator stays one, and tells what is missing: %j',
  (lacks) => {
    const etag = markedLacking('"abc"', lacks);
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(lacksOf(etag)).toEqual(lacks);
  },
);

test('a video that lacks something is made again after five minutes, any other is not', async () => {
  let closed = 0;
  const fileOf = (etag: string) => ({
    ...{ length: 1, etag, madeAt: 0, read: async () => 0 },
    close: async () => void closed++,
  });
  const storeAt = (now: number) =>
    withoutStaleLacking({ open: async (key) => fileOf(key), facts: async (key) => fileOf(key) }, () => now);
  const marked = markedLacking('"a"', { missingPictures: 1 });
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
