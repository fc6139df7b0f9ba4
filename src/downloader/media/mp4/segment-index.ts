import { invalid } from './boxes.ts';

/** The description of the following fragments in a `sidx` box (ISO/IEC 14496-12, 8.16.3). */
export interface SegmentIndex {
  /** Ticks a second. */
  readonly timescale: number;
  /** When the first is shown, in ticks. */
  readonly time: number;
  /** Offset of the first in the file. */
  readonly start: number;
  /** Consecutive in the file. */
  readonly segments: readonly Segment[];
}

/** Some fragments that follow one another. */
interface Segment {
  readonly bytes: number;
  /** Ticks of the index's timescale. */
  readonly duration: number;
  /** Whether and how one can begin to decode in it: the last 32 bits of its entry. */
  readonly access: number;
}

/**
 * Reads the index of a file's fragments.
 * @param sidx the whole box
 * @param at its offset in the file
 * @returns null when it is empty or an index of further indexes
 * @throws Failure `media_invalid`
 */
export function readSegmentIndex(sidx: Buffer, headerLength: number, at: number): SegmentIndex | null {
  const isLong = sidx.length > headerLength && sidx.readUInt8(headerLength) === 1;
  const timeAt = headerLength + 12;
  const countAt = timeAt + (isLong ? 16 : 8) + 2;
  if (countAt + 2 > sidx.length) throw invalid(`'sidx' cut off`);
  const timescale = sidx.readUInt32BE(headerLength + 8);
  if (timescale === 0) throw invalid(`'sidx' without a timescale`);
  const time = Number(isLong ? sidx.readBigUInt64BE(timeAt) : sidx.readUInt32BE(timeAt));
  const offset = Number(isLong ? sidx.readBigUInt64BE(timeAt + 8) : sidx.readUInt32BE(timeAt + 4));
  if (!Number.isSafeInteger(time) || !Number.isSafeInteger(offset + at))
    throw invalid(`'sidx' out of bounds`);
  const count = sidx.readUInt16BE(countAt);
  const entries = countAt + 2;
  if (entries + count * 12 > sidx.length) throw invalid(`'sidx' claims ${count} segments`);
  const segments: Segment[] = [];
  for (let n = 0; n < count; n++) {
    const entry = entries + n * 12;
    const reference = sidx.readUInt32BE(entry);
    if (reference >= 0x80000000) return null;
    if (reference === 0) throw invalid('a segment of 0 bytes');
    segments.push({
      bytes: reference,
      duration: sidx.readUInt32BE(entry + 4),
      access: sidx.readUInt32BE(entry + 8),
    });
  }
  if (segments.length === 0) return null;
  return { timescale, time, start: at + sidx.length + offset, segments };
}
