import { Failure } from '../../../failures/failures.ts';
import type { AacConfig } from '../contracts.ts';
import { audioSpecificConfigOf, parseAudioSpecificConfig } from './audio-config.ts';
import { type Box, child, children, invalid, printable, requiredChild, table } from './boxes.ts';
import type { SampleTable } from './sample-table.ts';
import { findTrack, type Track } from './track.ts';

/** Samples in an AAC frame, at the rate of the core stream. */
export const samplesPerFrame = 1024;

/** A movie's sound as its tables describe it. */
export interface SoundTrackTable {
  readonly config: AacConfig;
  /** The file's own AudioSpecificConfig. */
  readonly specificConfig: Buffer;
  readonly samples: SampleTable;
  /**
   * From the movie's start to where its sound ends, in core samples from the first frame's start: the edit list. The
   * start is negative where the sound begins later than the movie.
   */
  readonly heard: { readonly start: number; readonly end: number };
}

/** A movie's sound without where its frames lie. */
export interface SoundDescription extends Pick<SoundTrackTable, 'config' | 'specificConfig'> {
  readonly track: Track;
}

/**
 * Reads the properties of a `moov` box's first sound track.
 * @throws Failure `sound_missing` when there is none, `sound_unsupported` for another codec than AAC, `media_invalid`
 */
export function describeSound(moov: Buffer, root: { start: number; end: number }): SoundDescription {
  const track = findTrack(moov, root, 'soun');
  if (track === null) throw new Failure('sound_missing', { note: 'no sound track' });
  const specificConfig = readSpecificConfig(moov, track.stbl);
  return { track, specificConfig, config: parseAudioSpecificConfig(specificConfig) };
}

/**
 * A described sound with its frames. The duration comes from the number of frames and not from `stts`: a frame has 1024
 * samples whatever that table says, and frames are played back to back.
 * @throws Failure `sound_missing` when there are none
 */
export function soundTable(
  { track, config, specificConfig }: SoundDescription,
  samples: SampleTable,
): SoundTrackTable {
  if (samples.count === 0) throw new Failure('sound_missing', { note: 'sound track without samples' });
  const heard = heardOf(track, config.sampleRate, samples.count * samplesPerFrame);
  return { config, specificConfig, samples, heard };
}

/** Number of the description that a track's first samples have, from 1. */
function firstDescription(moov: Buffer, stbl: Box): number {
  const { count, start } = table(moov, requiredChild(moov, stbl, 'stsc'), 12);
  return count === 0 ? 1 : moov.readUInt32BE(start + 8);
}

/** ISO/IEC 14496-12, 12.2.3, and QuickTime's versions 1 (16 bytes more, `esds` inside `wave`). */
function readSpecificConfig(moov: Buffer, stbl: Box): Buffer {
  const stsd = requiredChild(moov, stbl, 'stsd');
  if (stsd.end - stsd.start < 8) throw invalid(`'stsd' cut off`);
  const entries = [...children(moov, stsd.start + 8, stsd.end)];
  const entry = entries[firstDescription(moov, stbl) - 1] ?? entries[0];
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

/** A sound that waits longer begins at once: its silence would be most of the file. */
const maxWaitS = 600;

/** The one edit that maps media; several of them cut or repeat the sound, and then all of it is taken. */
function heardOf(
  { edits, timescale, movieTimescale }: Track,
  sampleRate: number,
  end: number,
): { start: number; end: number } {
  const shown = edits.findIndex(({ mediaTime }) => mediaTime >= 0);
  const edit = edits[shown];
  if (edit === undefined || edits.some(({ mediaTime }, n) => n > shown && mediaTime >= 0))
    return { start: 0, end };
  const begins = Math.round((edit.mediaTime / timescale) * sampleRate);
  if (begins >= end) return { start: 0, end };
  const waitS = edits.slice(0, shown).reduce((sum, { duration }) => sum + duration, 0) / movieTimescale;
  const start = begins - (waitS > maxWaitS ? 0 : Math.round(waitS * sampleRate));
  if (edit.duration === 0) return { start, end };
  // The movie's ticks are often whole milliseconds, rounded down: a sound that ends within one is not cut.
  const lengthS = (edit.duration + 1) / movieTimescale;
  return { start, end: Math.min(end, begins + Math.ceil(lengthS * sampleRate)) };
}
