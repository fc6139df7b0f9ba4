import { type Box, child, invalid, requiredChild, table } from './boxes.ts';

/** Position of each sample of a track, in decoding order. */
export interface SampleTable {
  readonly count: number;
  /** They may go back: chunks may lie in the file in any order. */
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** Sum of all sizes. */
  readonly bytes: number;
  /** Number of each sample's description (`stsd` entry), from 1; null when all have the first. */
  readonly descriptions?: Uint16Array | null;
}

/** Six hours of 44.1 kHz sound; keeps the two arrays below 12 MB. */
export const maxSamples = 1_000_000;
/** The longest frame that an ADTS header can describe, without the header. */
export const maxAacFrameBytes = 8191 - 7;

/**
 * Reads the samples' positions from a sample table (ISO/IEC 14496-12, 8.7). Samples that no chunk has are left out, as
 * players do. No two may share bytes, so that a small file cannot pose as a large one.
 * @param stbl the `stbl` box inside `moov`
 * @param fileSize bytes; null when unknown
 * @param maxSampleBytes of one sample; {@link maxAacFrameBytes} for a sound that is put into ADTS frames
 * @throws Failure `media_invalid`
 */
export function readSampleTable(
  moov: Buffer,
  stbl: Box,
  fileSize: number | null,
  maxSampleBytes: number,
): SampleTable {
  const sizes = readSizes(moov, stbl, fileSize, maxSampleBytes);
  const chunks = readChunkOffsets(moov, stbl);
  const runOf = chunkRuns(moov, stbl);
  const offsets = new Float64Array(sizes.length);
  const [starts, ends] = [new Float64Array(chunks.count), new Float64Array(chunks.count)];
  let sample = 0;
  let used = 0;
  let bytes = 0;
  let descriptions: Uint16Array | null = null;
  for (; used < chunks.count && sample < sizes.length; used++) {
    const start = chunks.at(used);
    let offset = start;
    const { length, description } = runOf(used + 1);
    if (description !== 1) {
      descriptions ??= new Uint16Array(sizes.length).fill(1);
      descriptions.fill(description, sample, sample + length);
    }
    for (let left = length; left > 0 && sample < sizes.length; left--, sample++) {
      offsets[sample] = offset;
      offset += sizes[sample] ?? 0;
    }
    starts[used] = start;
    ends[used] = offset;
    bytes += offset - start;
  }
  if (sample === 0 && sizes.length > 0) throw invalid(`no chunks for ${sizes.length} samples`);
  const reach = checkApart(starts.subarray(0, used), ends.subarray(0, used));
  if (fileSize !== null && reach > fileSize)
    throw invalid(`its samples reach to ${reach}, file ends at ${fileSize}`);
  return {
    count: sample,
    offsets: offsets.subarray(0, sample),
    sizes: sizes.subarray(0, sample),
    bytes,
    descriptions: descriptions?.subarray(0, sample) ?? null,
  };
}

/** @returns the end of the last chunk in the file @throws Failure `media_invalid` when two chunks share bytes */
function checkApart(starts: Float64Array, ends: Float64Array): number {
  const isInOrder = starts.every((start, n) => n === 0 || start >= (ends[n - 1] ?? 0));
  if (!isInOrder) {
    // Spans that do not overlap end, in the order of the file, before the next one starts.
    starts.sort();
    ends.sort();
    if (starts.some((start, n) => n > 0 && start < (ends[n - 1] ?? 0))) throw invalid('chunks that overlap');
  }
  return ends.at(-1) ?? 0;
}

/**
 * Samples of each chunk and their description (`stsc`, 8.7.4), by its number from 1, in rising order. The first run
 * begins with the first chunk, and a run that begins before the current chunk has none, nor has a last one without
 * samples, whatever the table says.
 */
function chunkRuns(
  moov: Buffer,
  stbl: Box,
): (chunk: number) => { readonly length: number; readonly description: number } {
  const runs = table(moov, requiredChild(moov, stbl, 'stsc'), 12);
  const field = (run: number, at: number) => moov.readUInt32BE(runs.start + run * 12 + at);
  let count = runs.count;
  while (count > 1 && field(count - 1, 4) === 0) count -= 1;
  let next = 1;
  const runAt = (run: number) => ({ length: field(run, 4), description: field(run, 8) });
  let current = count === 0 ? { length: 0, description: 1 } : runAt(0);
  return (chunk) => {
    for (; next < count && field(next, 0) <= chunk; next++)
      if (field(next, 0) === chunk) current = runAt(next);
    if (current.length === 0) throw invalid(`chunk ${chunk} without samples`);
    return current;
  };
}

function readSizes(moov: Buffer, stbl: Box, fileSize: number | null, maxSampleBytes: number): Uint32Array {
  const stsz = child(moov, stbl, 'stsz');
  const box = stsz ?? requiredChild(moov, stbl, 'stz2');
  if (box.end - box.start < 12) throw invalid(`'${box.type}' cut off`);
  const uniform = stsz === null ? 0 : moov.readUInt32BE(box.start + 4);
  const count = moov.readUInt32BE(box.start + 8);
  if (count > maxSamples) throw invalid(`${count} samples`);
  const check = (size: number, n: number) => {
    if (size === 0 || size > maxSampleBytes) throw invalid(`sample ${n} of ${size} bytes`);
  };
  if (uniform !== 0) {
    check(uniform, 0);
    if (fileSize !== null && count * uniform > fileSize)
      throw invalid(`${count} samples of ${uniform} bytes`);
    return new Uint32Array(count).fill(uniform);
  }
  const fieldBits = stsz === null ? moov.readUInt8(box.start + 7) : 32;
  if (fieldBits !== 4 && fieldBits !== 8 && fieldBits !== 16 && fieldBits !== 32)
    throw invalid(`'stz2' field of ${fieldBits}`);
  const start = box.start + 12;
  if (Math.ceil((count * fieldBits) / 8) > box.end - start) {
    throw invalid(`'${box.type}' claims ${count} samples`);
  }
  const sizes = new Uint32Array(count);
  for (let n = 0; n < count; n++) {
    const size = sizeAt(moov, start, n, fieldBits);
    check(size, n);
    sizes[n] = size;
  }
  return sizes;
}

function sizeAt(moov: Buffer, start: number, n: number, fieldBits: 4 | 8 | 16 | 32): number {
  if (fieldBits === 32) return moov.readUInt32BE(start + n * 4);
  if (fieldBits === 16) return moov.readUInt16BE(start + n * 2);
  const byte = moov.readUInt8(start + (fieldBits === 8 ? n : n >> 1));
  if (fieldBits === 8) return byte;
  return n % 2 === 0 ? byte >> 4 : byte & 15;
}

function readChunkOffsets(moov: Buffer, stbl: Box): { count: number; at(chunk: number): number } {
  const stco = child(moov, stbl, 'stco');
  if (stco !== null) {
    const { count, start } = table(moov, stco, 4);
    return { count, at: (chunk) => moov.readUInt32BE(start + chunk * 4) };
  }
  const { count, start } = table(moov, requiredChild(moov, stbl, 'co64'), 8);
  return {
    count,
    at(chunk) {
      const offset = moov.readBigUInt64BE(start + chunk * 8);
      if (offset > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(`chunk at ${offset}`);
      return Number(offset);
    },
  };
}
