import { child, children, invalid, printable, requiredChild } from '../../media/mp4/boxes.ts';
import type { Track } from '../../media/mp4/track.ts';
import { box } from '../../media/mp4/write-boxes.ts';

/**
 * Checks the sample descriptions (`stsd`) of a track, which are copied.
 * @throws Failure `media_invalid` when samples are encrypted or in another file
 */
export function checkDescriptions({ moov, stbl }: Track): void {
  const stsd = child(moov, stbl, 'stsd');
  if (stsd === null || stsd.end - stsd.start < 8) throw invalid('no sample description');
  let count = 0;
  for (const entry of children(moov, stsd.start + 8, stsd.end)) {
    if (entry.end - entry.start < 8) throw invalid(`'${printable(entry.type)}' cut off`);
    if (entry.type === 'encv' || entry.type === 'enca') throw invalid('encrypted samples');
    if (moov.readUInt16BE(entry.start + 6) !== 1) throw invalid('samples in another file');
    count += 1;
  }
  if (count === 0) throw invalid('no sample description');
}

/**
 * Names of entries whose parameter sets may lie among the samples, and of those whose sets are in the entry: the only
 * ones that Apple's players take (ISO/IEC 14496-15, 5.4.2.1 and 8.4.1).
 */
const namesWithSets: Readonly<
  Record<string, { readonly name: string; readonly hasSets: (sets: Buffer) => boolean }>
> = {
  hev1: { name: 'hvc1', hasSets: completeHevc },
  dvhe: { name: 'dvh1', hasSets: completeHevc },
  avc3: { name: 'avc1', hasSets: hasAvcSets },
};
/** Bytes of a picture's entry before its boxes. */
const visualEntryBytes = 78;

/** Copies the sample descriptions of a track; an entry with all parameter sets says so by its name. */
export function writeDescriptions({ moov, stbl }: Track): Buffer {
  const stsd = requiredChild(moov, stbl, 'stsd');
  const copied = box('stsd', moov.subarray(stsd.start, stsd.end));
  for (const entry of children(copied, 16, copied.length)) {
    const renamed = namesWithSets[entry.type];
    if (renamed === undefined || entry.end - entry.start < visualEntryBytes) continue;
    const inside = { start: entry.start + visualEntryBytes, end: entry.end };
    const sets = child(copied, inside, entry.type === 'avc3' ? 'avcC' : 'hvcC');
    if (sets !== null && renamed.hasSets(copied.subarray(sets.start, sets.end)))
      copied.write(renamed.name, entry.start - 4, 'latin1');
  }
  return copied;
}

/** Types of NAL units: the sets of video, sequence and picture. */
const hevcSets = [32, 33, 34];

/** Whether an `hvcC` has all sets (8.3.3.1); marks them as complete, as `hvc1` requires. */
function completeHevc(hvcC: Buffer): boolean {
  const marks: number[] = [];
  const found = new Set<number>();
  let at = 23;
  for (let arrays = hvcC[22] ?? 0; arrays > 0 && at + 3 <= hvcC.length; arrays--) {
    const type = hvcC.readUInt8(at) & 63;
    const units = hvcC.readUInt16BE(at + 1);
    marks.push(at);
    if (units > 0) found.add(type);
    at += 3;
    for (let left = units; left > 0; left--) {
      if (at + 2 > hvcC.length) return false;
      at += 2 + hvcC.readUInt16BE(at);
    }
  }
  if (at > hvcC.length || hevcSets.some((type) => !found.has(type))) return false;
  for (const mark of marks) hvcC[mark] = (hvcC[mark] ?? 0) | 0x80;
  return true;
}

/** Whether an `avcC` has a set for the sequence and one for the picture (5.3.3.1). */
function hasAvcSets(avcC: Buffer): boolean {
  const sequences = (avcC[5] ?? 0) & 31;
  let at = 6;
  for (let left = sequences; left > 0 && at + 2 <= avcC.length; left--) at += 2 + avcC.readUInt16BE(at);
  return sequences > 0 && at < avcC.length && (avcC[at] ?? 0) > 0;
}
