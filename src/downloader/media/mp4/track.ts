import { type Box, child, children, invalid, requiredChild } from './boxes.ts';

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
  /** Ticks of the movie; 0 in a file of fragments means all of the media. */
  readonly duration: number;
  /** Ticks of the media; -1 for an empty edit. */
  readonly mediaTime: number;
  /** Two numbers of 16 bits. */
  readonly rate: number;
}

/** A track with several edits would have to be re-encoded. */
const maxEdits = 1000;

/**
 * The track of a kind that players choose: the first that is enabled, which in a group of alternatives may be any of
 * them, or the first of all where none is.
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
  let trak: Box | null = null;
  for (const box of children(moov, root.start, root.end)) {
    if (handlerOf(moov, box) !== handler) continue;
    const isChosen = isEnabled(moov, box);
    if (isChosen || trak === null) trak = box;
    if (isChosen) break;
  }
  if (trak === null) return null;
  const mdia = requiredChild(moov, trak, 'mdia');
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

/** The kind of a track (`hdlr`, ISO/IEC 14496-12, 8.4.3); null for what is none. @throws Failure `media_invalid` */
export function handlerOf(moov: Buffer, trak: Box): string | null {
  const mdia = trak.type === 'trak' ? child(moov, trak, 'mdia') : null;
  if (mdia === null) return null;
  const hdlr = requiredChild(moov, mdia, 'hdlr');
  if (hdlr.end - hdlr.start < 12) throw invalid(`'hdlr' cut off`);
  return moov.toString('latin1', hdlr.start + 8, hdlr.start + 12);
}

/** Whether a track's header says that it is to be used (`tkhd`, 8.3.2). */
function isEnabled(moov: Buffer, trak: Box): boolean {
  const tkhd = child(moov, trak, 'tkhd');
  return tkhd !== null && tkhd.end - tkhd.start >= 4 && (moov.readUInt8(tkhd.start + 3) & 1) === 1;
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
  const start = elst.start + 8;
  // Some writers count more than they write, and players take what there is.
  const count = Math.min(moov.readUInt32BE(elst.start + 4), Math.floor((elst.end - start) / entryBytes));
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
