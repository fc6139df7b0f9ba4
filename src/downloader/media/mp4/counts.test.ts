import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { planSound } from '../sound-plan.ts';
import { readFragment } from './fragment.ts';
import type { Movie } from './read-movie.ts';
import { maxSamples } from './sample-table.ts';
import { box, fullBox, u32 } from './write-boxes.ts';

/*
 * A count in a file is no bound of a loop: what reading takes depends on the bytes that are there. Counted are the
 * numbers that are read, and not the time.
 */

afterEach(() => void vi.restoreAllMocks());

/** How many numbers a reader takes out of buffers, whatever else it does. */
function countReads(read: () => void): number {
  const spies = (
    ['readUInt32BE', 'readInt32BE', 'readUInt8', 'readUInt16BE', 'readBigUInt64BE'] as const
  ).map((name) => vi.spyOn(Buffer.prototype, name));
  const before = spies.map(({ mock }) => mock.calls.length);
  try {
    read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  const reads = spies.reduce((sum, { mock }, n) => sum + mock.calls.length - (before[n] ?? 0), 0);
  for (const spy of spies) spy.mockRestore();
  return reads;
}

interface Traf {
  readonly track: number;
  readonly runs: readonly { readonly count: number; readonly hasSizes: boolean; readonly offset: number }[];
}

/** A fragment whose runs claim any number of samples. */
const moofOf = (trafs: readonly Traf[]) =>
  box(
    'moof',
    fullBox('mfhd', 0, u32(1)),
    ...trafs.map(({ track, runs }) =>
      box(
        'traf',
        // default-base-is-moof, default-sample-size
        fullBox('tfhd', 0x020010, u32(track, 1)),
        ...runs.map(({ count, hasSizes, offset }) =>
          hasSizes
            ? fullBox(
                'trun',
                0x201,
                u32(count, offset),
                ...Array.from({ length: Math.min(count, 20) }, () => u32(1)),
              )
            : fullBox('trun', 0x1, u32(count, offset)),
        ),
      ),
    ),
  );
const defaults = new Map([1, 2].map((id) => [id, { description: 1, duration: 1, size: 1, flags: 0 }]));
const read = (moof: Buffer) => readFragment(moof, 8, 0, defaults);

describe('a fragment', () => {
  const count = fc.oneof(fc.nat(20), fc.constantFrom(1_000_000, 0xffffffff), fc.nat(0xffffffff));
  const runs = fc.array(fc.record({ count, hasSizes: fc.boolean(), offset: fc.nat(0x7fffffff) }), {
    maxLength: 6,
  });
  const trafs = fc.array(fc.record({ track: fc.constantFrom(1, 2), runs }), { maxLength: 12 });

  test('takes no more steps than it has bytes, whatever it claims', () => {
    fc.assert(
      fc.property(trafs, (some) => {
        const moof = moofOf(some);
        expect(countReads(() => read(moof))).toBeLessThanOrEqual(moof.length);
      }),
      { numRuns: 100 },
    );
  });

  test('describes a bounded number of samples in all of its runs, and each byte of a track once', () => {
    const run = (n: number, offset: number) => ({ count: n, hasSizes: false, offset });
    const half = maxSamples / 2;
    expect(
      read(
        moofOf([
          { track: 1, runs: [run(half, 0)] },
          { track: 1, runs: [run(half, half)] },
        ]),
      ).tracks,
    ).toHaveLength(2);
    expect(() =>
      read(
        moofOf([
          { track: 1, runs: [run(half, 0)] },
          { track: 2, runs: [run(half + 1, half)] },
        ]),
      ),
    ).toThrow('samples');
    expect(() =>
      read(
        moofOf([
          { track: 1, runs: [run(9, 0)] },
          { track: 1, runs: [run(9, 8)] },
        ]),
      ),
    ).toThrow('overlap');
    // In any order, as players take them.
    const backwards = read(moofOf([{ track: 1, runs: [run(9, 9), run(9, 0)] }]));
    expect(backwards.tracks[0]?.runs.map(({ start, end }) => [start, end])).toEqual([
      [9, 18],
      [0, 9],
    ]);
  });
});

describe('a scattered sound', () => {
  /** Frames of one byte with one between them, in any order; counts how often the tables are looked at. */
  function scattered(count: number, offsetOf: (n: number) => number) {
    let looks = 0;
    const counted = <Of extends Float64Array | Uint32Array>(values: Of): Of =>
      new Proxy(values, {
        get(target, name) {
          looks += 1;
          return Reflect.get(target, name, target);
        },
      });
    const offsets = counted(Float64Array.from({ length: count }, (_, n) => offsetOf(n)));
    const sizes = counted(new Uint32Array(count).fill(1));
    const config = { objectType: 2, sampleRate: 44_100, outputSampleRate: 44_100, channels: 2 } as const;
    const movie: Movie = {
      size: 10 * count,
      hasRanges: true,
      head: Buffer.alloc(0),
      bytesRead: 0,
      sound: {
        config,
        specificConfig: Buffer.alloc(2),
        samples: { count, offsets, sizes, bytes: count },
        heard: { start: 0, end: count * 1024 },
      },
    };
    return { movie, looks: () => looks };
  }

  test.each([
    ['from front to back', (n: number) => 2 * n],
    ['from back to front', (n: number) => 2 * (60_000 - n)],
    ['to and fro', (n: number) => 2 * (n % 2 === 0 ? n : 60_000 - n)],
  ])('is read in one go when it lies %s in more pieces than are worth sorting', (_, offsetOf) => {
    const { movie, looks } = scattered(60_000, offsetOf);
    const plan = planSound(movie);
    expect([plan.mode, plan.runs.length]).toEqual(['whole', 1]);
    expect(looks()).toBeLessThan(10 * 60_000);
  });
});
