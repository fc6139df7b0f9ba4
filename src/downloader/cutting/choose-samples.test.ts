import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Edit } from '../media/mp4/track.ts';
import { chooseSamples, cutTimescale, type SampleRange, type TimedTrack } from './choose-samples.ts';

const rate = 0x10000;

/** A track of samples of equal length. @param shownLater how many samples after its decoding each is shown */
function track(options: {
  readonly count: number;
  readonly ticks: number;
  readonly timescale: number;
  readonly syncEvery?: number;
  readonly edits?: readonly Edit[];
  readonly shownLater?: readonly number[];
}): TimedTrack {
  const { count, ticks, timescale, syncEvery, edits = [], shownLater } = options;
  return {
    track: { edits, timescale, movieTimescale: 1000 },
    samples: { count },
    durations: new Uint32Array(count).fill(ticks),
    delays:
      shownLater === undefined
        ? null
        : Int32Array.from({ length: count }, (_, n) => (shownLater[n % shownLater.length] ?? 0) * ticks),
    isSync:
      syncEvery === undefined ? null : Uint8Array.from({ length: count }, (_, n) => +(n % syncEvery === 0)),
  };
}

/** 10 s at 30 a second with a key frame each second, and its sound. */
const picture = track({ count: 300, ticks: 1000, timescale: 30_000, syncEvery: 30 });
const sound = track({ count: 430, ticks: 1024, timescale: 44_100 });

const shown = ({ edits }: SampleRange) => edits.find(({ mediaTime }) => mediaTime >= 0);
const lastsS = ({ edits }: SampleRange) =>
  edits.reduce((sum, { duration }) => sum + duration, 0) / cutTimescale;

describe('a cut', () => {
  test('begins with the key frame before its start, and with the sound of that time', () => {
    const kept = chooseSamples({ picture, sound }, 2.5, 4);
    expect(kept).toMatchObject({ startS: 2, picture: { first: 60, end: 120, duration: 60_000 } });
    expect(kept.picture.edits).toEqual([{ duration: 180_000, mediaTime: 0, rate }]);
    // Frame 86 begins at 1.997 s; the one before it is decoded and not heard.
    expect(kept.sound).toMatchObject({ first: 85, decodedAt: 85 * 1024, end: 173 });
    expect(kept.sound?.edits).toEqual([{ duration: 180_000, mediaTime: 2 * 44_100 - 85 * 1024, rate }]);
  });

  test('begins at its own start when a key frame is there', () => {
    expect(chooseSamples({ picture, sound }, 3, 3.001)).toMatchObject({
      startS: 3,
      picture: { first: 90, end: 91 },
    });
  });

  test('shows nothing that the original hides, and delays what comes later', () => {
    const hidden = track({
      ...{ count: 300, ticks: 1000, timescale: 30_000, syncEvery: 300 },
      edits: [{ duration: 0, mediaTime: 15_000, rate }],
    });
    const late = track({
      ...{ count: 430, ticks: 1024, timescale: 44_100 },
      edits: [
        { duration: 250, mediaTime: -1, rate },
        { duration: 9000, mediaTime: 1024, rate },
      ],
    });
    const kept = chooseSamples({ picture: hidden, sound: late }, 0.1, 2);
    expect(kept.startS).toBe(0);
    expect(kept.picture.edits).toEqual([{ duration: 180_000, mediaTime: 15_000, rate }]);
    expect(kept.sound?.edits[0]).toEqual({ duration: 20_410, mediaTime: -1, rate });
  });

  test('keeps what is decoded before it is shown, and ends with the sample shown last', () => {
    // I P B B: the second is shown after the two that follow it.
    const reordered = track({
      ...{ count: 40, ticks: 1, timescale: 10, syncEvery: 20 },
      shownLater: [0, 2, -1, -1],
    });
    const kept = chooseSamples({ picture: reordered, sound: null }, 0, 0.25);
    expect(kept.picture).toMatchObject({ first: 0, end: 4 });
    expect(kept.sound).toBeNull();
    expect(lastsS(kept.picture)).toBeCloseTo(0.25);
  });

  test('is impossible behind the end, and in a movie that consists of parts', () => {
    expect(() => chooseSamples({ picture, sound }, 10.1, 11)).toThrow(
      expect.objectContaining({ key: 'cut_invalid' }),
    );
    const edits = [0, 9000].map((mediaTime) => ({ duration: 100, mediaTime, rate }));
    const parts = track({ count: 9, ticks: 1, timescale: 1, edits });
    expect(() => chooseSamples({ picture: parts, sound: null }, 0, 1)).toThrow(
      expect.objectContaining({ key: 'cut_unsupported' }),
    );
  });

  const anyTrack = (syncEvery: number | undefined) =>
    fc
      .record({
        count: fc.integer({ min: 1, max: 400 }),
        ticks: fc.integer({ min: 1, max: 4000 }),
        timescale: fc.constantFrom(600, 15_360, 44_100, 90_000),
        mediaTime: fc.integer({ min: 0, max: 3000 }),
        waits: fc.integer({ min: 0, max: 300 }),
      })
      .map(({ mediaTime, waits, ...rest }) =>
        track({
          ...rest,
          ...(syncEvery !== undefined && { syncEvery }),
          edits: [
            ...(waits > 0 ? [{ duration: waits, mediaTime: -1, rate }] : []),
            { duration: 0, mediaTime, rate },
          ],
        }),
      );

  test('contains whole rows of samples from a sync sample on, in step to a hundredth of a second and no longer than requested', () => {
    const times = fc.tuple(
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0.001, max: 20, noNaN: true }),
    );
    fc.assert(
      fc.property(anyTrack(12), anyTrack(undefined), times, (seen, heard, [fromS, lengthS]) => {
        let kept: ReturnType<typeof chooseSamples>;
        try {
          kept = chooseSamples({ picture: seen, sound: heard }, fromS, fromS + lengthS);
        } catch (thrown) {
          expect(thrown).toMatchObject({ key: 'cut_invalid' });
          return;
        }
        expect(kept.startS).toBeLessThanOrEqual(fromS);
        expect(seen.isSync?.[kept.picture.first]).toBe(1);
        for (const [timed, of] of [
          [seen, kept.picture],
          [heard, kept.sound],
        ] as const) {
          if (of === null) continue;
          expect(of.first).toBeGreaterThanOrEqual(0);
          expect(of.end).toBeGreaterThan(of.first);
          expect(of.end).toBeLessThanOrEqual(timed.samples.count);
          expect(of.duration).toBe((of.end - of.first) * (timed.durations[0] ?? 0));
          expect(of.decodedAt).toBe(of.first * (timed.durations[0] ?? 0));
          // The first shown tick by the clock of the cut and by that of the original.
          const waitsS = lastsS(of) - (shown(of)?.duration ?? 0) / cutTimescale;
          const { timescale, edits } = timed.track;
          const hidden = edits.at(-1)?.mediaTime ?? 0;
          const length = timed.samples.count * (timed.durations[0] ?? 0);
          // An edit of what is behind the end shows everything.
          const original = of.decodedAt + (shown(of)?.mediaTime ?? 0) - (hidden < length ? hidden : 0);
          const delayS = edits.length > 1 ? (edits[0]?.duration ?? 0) / 1000 : 0;
          expect(kept.startS + waitsS).toBeCloseTo(Math.max(kept.startS, delayS + original / timescale), 2);
          const asked = Math.max(0.001, fromS + lengthS - kept.startS);
          expect(lastsS(of)).toBeLessThanOrEqual(Math.max(asked, waitsS) + 0.001);
        }
      }),
    );
  });
});
