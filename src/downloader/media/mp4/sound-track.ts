import { Failure } from '../../../failures/failures.ts';
import type { AacConfig } from '../contracts.ts';
import { audioSpecificConfigOf, parseAudioSpecificConfig } from './audio-config.ts';
import { type Box, child, children, invalid, printable, requiredChild, table } from './boxes.ts';
import { maxAacFrameBytes, readSampleTable, type SampleTable } from './sample-table.ts';

/** Samples in an AAC frame, at the rate of the core stream. */
export const samplesPerFrame = 1024;

/** A movie's sound as its tables describe it. */
export interface SoundTrackTable {
  readonly config: AacConfig;
  /** The AudioSpecificConfig as it stands in the file. */
  readonly specificConfig: Buffer;
  readonly samples: SampleTable;
  /** From where to where the sound is heard, in core samples from the first frame's start: the edit list. */
  readonly heard: { readonly start: number; readonly end: number };
}

/**
 * Reads the first AAC track of a `moov` box.
 *
 * The duration comes from the number of frames and not from `stts`: a frame is 1024 samples whatever that table says, and
 * the sound is put together frame after frame.
 * @throws Failure `sound_missing` when there is no sound, `sound_unsupported` for another codec, `media_invalid`
 */
export function readSoundTrack(
  moov: Buffer,
  root: { start: number; end: number },
  fileSize: number | null,
): SoundTrackTable {
  const mvhd = requiredChild(moov, root, 'mvhd');
  const movieTimescale = readTimescale(moov, mvhd);
  for (const trak of children(moov, root.start, root.end)) {
    if (trak.type !== 'trak') continue;
    const mdia = requiredChild(moov, trak, 'mdia');
    const hdlr = requiredChild(moov, mdia, 'hdlr');
    if (hdlr.end - hdlr.start < 12) throw invalid(`'hdlr' cut off`);
    if (moov.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'soun') continue;
    // Where the frames of fragments lie, these tables do not say.
    if (child(moov, root, 'mvex') !== null) throw new Failure('sound_unsupported', { note: 'fragmented' });
    const stbl = requiredChild(moov, requiredChild(moov, mdia, 'minf'), 'stbl');
    const specificConfig = readSpecificConfig(moov, stbl);
    const config = parseAudioSpecificConfig(specificConfig);
    const samples = readSampleTable(moov, stbl, fileSize, maxAacFrameBytes);
    if (samples.count === 0) throw new Failure('sound_missing', { note: 'sound track without samples' });
    const timescale = readTimescale(moov, requiredChild(moov, mdia, 'mdhd'));
    const heard = readEdit(moov, trak, {
      movieTimescale,
      timescale,
      sampleRate: config.sampleRate,
      end: samples.count * samplesPerFrame,
    });
    return { config, specificConfig, samples, heard };
  }
  throw new Failure('sound_missing', { note: 'no sound track' });
}

/** The timescale of an `mvhd` or `mdhd` box, in ticks a second. */
export function readTimescale(moov: Buffer, box: Box): number {
  if (box.end - box.start < 20) throw invalid(`'${box.type}' cut off`);
  const at = box.start + (moov.readUInt8(box.start) === 1 ? 20 : 12);
  if (at + 4 > box.end) throw invalid(`'${box.type}' cut off`);
  const timescale = moov.readUInt32BE(at);
  if (timescale === 0) throw invalid(`'${box.type}' without a timescale`);
  return timescale;
}

/** ISO/IEC 14496-12, 12.2.3, and QuickTime's versions 1 (16 bytes more, `esds` inside `wave`). */
function readSpecificConfig(moov: Buffer, stbl: Box): Buffer {
  const stsd = requiredChild(moov, stbl, 'stsd');
  if (stsd.end - stsd.start < 8) throw invalid(`'stsd' cut off`);
  const [entry] = children(moov, stsd.start + 8, stsd.end);
  if (entry === undefined) throw invalid('no sample description');
  if (entry.type !== 'mp4a') {
    throw new Failure('sound_unsupported', { note: `sound codec '${printable(entry.type)}' is not AAC` });
  }
  if (entry.end - entry.start < 28) throw invalid(`'mp4a' cut off`);
  const version = moov.readUInt16BE(entry.start + 8);
  const start = entry.start + 28 + (version === 1 ? 16 : version === 2 ? 36 : 0);
  if (start > entry.end) throw invalid(`'mp4a' cut off`);
  const inside = { start, end: entry.end };
  const wave = child(moov, inside, 'wave');
  const esds = requiredChild(
    moov,
    child(moov, inside, 'esds') === null && wave !== null ? wave : inside,
    'esds',
  );
  return audioSpecificConfigOf(moov.subarray(esds.start, esds.end));
}

/** The one edit that maps media; several of them cut or repeat the sound, and then all of it is taken. */
function readEdit(
  moov: Buffer,
  trak: Box,
  {
    movieTimescale,
    timescale,
    sampleRate,
    end,
  }: { movieTimescale: number; timescale: number; sampleRate: number; end: number },
): { start: number; end: number } {
  const whole = { start: 0, end };
  const edts = child(moov, trak, 'edts');
  const elst = edts === null ? null : child(moov, edts, 'elst');
  if (elst === null) return whole;
  if (elst.end - elst.start < 8) throw invalid(`'elst' cut off`);
  const long = moov.readUInt8(elst.start) === 1;
  const edits = table(moov, elst, long ? 20 : 12);
  let found: { mediaTime: number; duration: number } | null = null;
  for (let n = 0; n < edits.count; n++) {
    const at = edits.start + n * (long ? 20 : 12);
    const mediaTime = long ? Number(moov.readBigInt64BE(at + 8)) : moov.readInt32BE(at + 4);
    if (mediaTime < 0) continue;
    if (found !== null) return whole;
    found = { mediaTime, duration: long ? Number(moov.readBigUInt64BE(at)) : moov.readUInt32BE(at) };
  }
  if (found === null) return whole;
  const start = Math.round((found.mediaTime / timescale) * sampleRate);
  if (start >= end) return whole;
  if (found.duration === 0) return { start, end };
  // The movie's ticks are often whole milliseconds, rounded down: a sound that ends within one is not cut.
  const lengthS = (found.duration + 1) / movieTimescale;
  return { start, end: Math.min(end, start + Math.ceil(lengthS * sampleRate)) };
}
