import { describe, expect, test } from 'vitest';
import { requiredChild } from './boxes.ts';
import { readCompositionOffsets, readDurations, readSyncSamples } from './sample-times.ts';
import { box, fullBox, u32 } from './write-boxes.ts';

/** An `stbl` with one table. */
function tableOf(type: string, ...numbers: number[]) {
  const moov = box('stbl', fullBox(type, 0, u32(...numbers)));
  return [moov, requiredChild(moov, { start: 0, end: moov.length }, 'stbl')] as const;
}

describe('the times of samples', () => {
  test.each([
    ['as many as there are', [2, 2, 10, 1, 7], [10, 10, 7]],
    ['one more', [2, 2, 10, 2, 7], [10, 10, 7]],
    ['one less', [1, 2, 10], [10, 10, 10]],
    ['a last one of no length', [2, 2, 10, 1, 0], [10, 10, 0]],
    ['more than any file has', [1, 0xffffffff, 10], [10, 10, 10]],
  ])('are read from a table that describes %s', (_, numbers, durations) => {
    expect([...readDurations(...tableOf('stts', ...numbers), 3)]).toEqual(durations);
  });

  test('are not guessed where a table describes none', () => {
    expect(() => readDurations(...tableOf('stts', 0), 3)).toThrow('describes none');
    expect(() => readDurations(...tableOf('stts', 2, 1, 5), 3)).toThrow('claims 2 entries');
  });

  test('have no offset behind the end of their table', () => {
    expect([...(readCompositionOffsets(...tableOf('ctts', 1, 2, 5), 4) ?? [])]).toEqual([5, 5, 0, 0]);
    expect(readCompositionOffsets(...tableOf('stts', 0), 4)).toBeNull();
  });

  test('begin at those samples that there are', () => {
    expect([...(readSyncSamples(...tableOf('stss', 4, 0, 1, 3, 9), 3) ?? [])]).toEqual([1, 0, 1]);
    expect(readSyncSamples(...tableOf('stts', 0), 3)).toBeNull();
  });
});
