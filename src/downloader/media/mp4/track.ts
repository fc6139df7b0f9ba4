import { type Box, child, children, invalid, requiredChild, table } from './boxes.ts';

/** A track of a `moov` box: where its boxes lie, and in which units it counts. */
export interface Track {
  readonly moov: Buffer;
  /** The `track_ID` of the file. */
  readonly id: number;
  /** Ticks a second of its media, and of its edit list. */
  readonly timescale: number;
  readonly movieTimescale: number;
  readonly tkhd: Box;
  readonly mdia: Box;
  readonly mdhd: Box;
  readonly minf: Box;
  readonly stbl: Box;
  readonly edits: readonly Edit[];
}

/** An entry of an edit list (ISO/IEC 14496-12, 8.6.6). */
export interface Edit {
  /** In ticks of the movie; 0 in a file of fragments means all of the media. */
  readonly duration: number;
  /** In ticks of the media; -1 for an empty edit. */
  readonly mediaTime: number;
  /** Two numbers of 16 bits. */
  readonly rate: number;
}

/** A track with several edits would have to be re-encoded. */
const maxEdits = 1000;

/**
 * The first track of a kind.
 * @param root the content of `moov`
 * @param handler `vide` or `soun` (ISO/IEC 14496-12, 12.1.1 and 12.2.1)
 * @returns null when there is none
 * @throws Failure `media_invalid`
 */
export function findTrack(
  moov: Buffer,
  root: { start: number; end: number },
  handler: 'vide' | 'soun',
): Track | null {
  const movieTimescale = readTimescale(moov, requiredChild(moov, root, 'mvhd'));
  for (const trak of children(moov, root.start, root.end)) {
    if (trak.type !== 'trak') continue;
    const mdia = requiredChild(moov, trak, 'mdia');
    const hdlr = requiredChild(moov, mdia, 'hdlr');
    if (hdlr.end - hdlr.start < 12) throw invalid(`'hdlr' cut off`);
    if (moov.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== handler) continue;
    const tkhd = requiredChild(moov, trak, 'tkhd');
    const mdhd = requiredChild(moov, mdia, 'mdhd');
    const minf = requiredChild(moov, mdia, 'minf');
    const { idAt } = trackHeader(moov, tkhd);
    return {
      moov,
      id: moov.readUInt32BE(tkhd.start + idAt),
      timescale: readTimescale(moov, mdhd),
      movieTimescale,
      tkhd,
      mdia,
      mdhd,
      minf,
      stbl: requiredChild(moov, minf, 'stbl'),
      edits: readEdits(moov, trak),
    };
  }
  return null;
}

/**
 * Positions of fields in a `tkhd` box (ISO/IEC 14496-12, 8.3.2), from the start of its content.
 * @throws Failure `media_invalid` when it is too short
 */
export function trackHeader(
  bytes: Buffer,
  { start, end }: { start: number; end: number },
): {
  readonly isLong: boolean;
  readonly idAt: number;
  readonly durationAt: number;
  readonly groupAt: number;
} {
  const isLong = end > start && bytes.readUInt8(start) === 1;
  if (end - start < (isLong ? 96 : 84)) throw invalid(`'tkhd' cut off`);
  return isLong
    ? { isLong, idAt: 20, durationAt: 28, groupAt: 46 }
    : { isLong, idAt: 12, durationAt: 20, groupAt: 34 };
}

function readEdits(moov: Buffer, trak: Box): Edit[] {
  const edts = child(moov, trak, 'edts');
  const elst = edts === null ? null : child(moov, edts, 'elst');
  if (elst === null) return [];
  if (elst.end - elst.start < 8) throw invalid(`'elst' cut off`);
  const isLong = moov.readUInt8(elst.start) === 1;
  const entryBytes = isLong ? 20 : 12;
  const { count, start } = table(moov, elst, entryBytes);
  if (count > maxEdits) throw invalid(`${count} edits`);
  return Array.from({ length: count }, (_, n) => {
    const at = start + n * entryBytes;
    return isLong
      ? {
          duration: Number(moov.readBigUInt64BE(at)),
          mediaTime: Number(moov.readBigInt64BE(at + 8)),
          rate: moov.readUInt32BE(at + 16),
        }
      : {
          duration: moov.readUInt32BE(at),
          mediaTime: moov.readInt32BE(at + 4),
          rate: moov.readUInt32BE(at + 8),
        };
  });
}

/** The timescale of an `mvhd` or `mdhd` box, in ticks a second. */
function readTimescale(moov: Buffer, box: Box): number {
  if (box.end - box.start < 20) throw invalid(`'${box.type}' cut off`);
  const at = box.start + (moov.readUInt8(box.start) === 1 ? 20 : 12);
  if (at + 4 > box.end) throw invalid(`'${box.type}' cut off`);
  const timescale = moov.readUInt32BE(at);
  if (timescale === 0) throw invalid(`'${box.type}' without a timescale`);
  return timescale;
}
