import { type Box, child, invalid, requiredChild, table } from './boxes.ts';

/** Position of each sample of a track, in file order. */
export interface SampleTable {
  readonly count: number;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** Sum of all sizes. */
  readonly bytes: number;
}

/** Six hours of 44.1 kHz sound; keeps the two arrays below 12 MB. */
export const maxSamples = 1_000_000;
/** The longest frame that an ADTS header can describe, without the header. */
export const maxAacFrameBytes = 8191 - 7;

/**
 * Reads the samples' positions from a sample table (ISO/IEC 14496-12, 8.7). A track's samples must follow one another
 * in the file without overlap, as every muxer writes them, so that a small file cannot pose as a large one.
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
  const { sizes, bytes } = readSizes(moov, stbl, maxSampleBytes);
  const offsets = new Float64Array(sizes.length);
  const chunks = readChunkOffsets(moov, stbl);
  const stsc = requiredChild(moov, stbl, 'stsc');
  const runs = table(moov, stsc, 12);

  let sample = 0;
  let previousEnd = 0;
  let run = -1;
  let perChunk = 0;
  let nextRunAt = 1;
  for (let chunk = 1; chunk <= chunks.count && sample < sizes.length; chunk++) {
    if (chunk === nextRunAt) {
      run++;
      const at = runs.start + run * 12;
      if (run >= runs.count || moov.readUInt32BE(at) !== chunk)
        throw invalid(`'stsc' does not describe chunk ${chunk}`);
      perChunk = moov.readUInt32BE(at + 4);
      if (perChunk === 0) throw invalid(`chunk ${chunk} without samples`);
      nextRunAt = run + 1 < runs.count ? moov.readUInt32BE(at + 12) : Number.POSITIVE_INFINITY;
      if (nextRunAt <= chunk) throw invalid(`'stsc' goes backwards at chunk ${chunk}`);
    }
    let offset = chunks.at(chunk - 1);
    if (offset < previousEnd) throw invalid(`chunk ${chunk} overlaps the one before`);
    for (let n = 0; n < perChunk && sample < sizes.length; n++, sample++) {
      offsets[sample] = offset;
      offset += sizes[sample] ?? 0;
    }
    previousEnd = offset;
  }
  if (sample < sizes.length) throw invalid(`chunks for ${sample} of ${sizes.length} samples`);
  if (fileSize !== null && previousEnd > fileSize)
    throw invalid(`its samples reach to ${previousEnd}, file ends at ${fileSize}`);
  return { count: sizes.length, offsets, sizes, bytes };
}

function readSizes(moov: Buffer, stbl: Box, maxSampleBytes: number): { sizes: Uint32Array; bytes: number } {
  const stsz = child(moov, stbl, 'stsz');
  const box = stsz ?? requiredChild(moov, stbl, 'stz2');
  if (box.end - box.start < 12) throw invalid(`'${box.type}' cut off`);
  const uniform = stsz === null ? 0 : moov.readUInt32BE(box.start + 4);
  const count = moov.readUInt32BE(box.start + 8);
  if (count > maxSamples) throw invalid(`${count} samples`);
  const fieldBits = stsz === null ? moov.readUInt8(box.start + 7) : 32;
  if (fieldBits !== 4 && fieldBits !== 8 && fieldBits !== 16 && fieldBits !== 32)
    throw invalid(`'stz2' field of ${fieldBits}`);
  const start = box.start + 12;
  if (uniform === 0 && Math.ceil((count * fieldBits) / 8) > box.end - start) {
    throw invalid(`'${box.type}' claims ${count} samples`);
  }
  const sizes = new Uint32Array(count);
  let bytes = 0;
  for (let n = 0; n < count; n++) {
    const size = uniform !== 0 ? uniform : sizeAt(moov, start, n, fieldBits);
    if (size === 0 || size > maxSampleBytes) throw invalid(`sample ${n} of ${size} bytes`);
    sizes[n] = size;
    bytes += size;
  }
  return { sizes, bytes };
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
