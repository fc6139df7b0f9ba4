import fc from 'fast-check';
import { box, fullBox, u32, u64 } from '../../media/mp4/write-boxes.ts';
import { builtTrackId, fileType, movie, sampleBytes, type TableClip, tableClips } from './table-clip.ts';

/** A fragmented file with one useful track. */
export interface FragmentClip extends TableClip {
  readonly samplesEach: number;
  /** The base of sample offsets. */
  readonly from: 'moof' | 'file';
  /** Whether each fragment states its decode time. */
  readonly hasTime: boolean;
  /** An index of all fragments, of the first only, or none. */
  readonly index: 'all' | 'first' | 'none';
  /** Bytes of another track in each, after those of the first. */
  readonly otherBytes: number;
  readonly hasTrailer: boolean;
}

/** Every kind of file that {@link buildFragmentClip} writes. */
export function fragmentClips(kind: TableClip['kind']): fc.Arbitrary<FragmentClip> {
  const more = fc.record({
    samplesEach: fc.integer({ min: 1, max: 40 }),
    from: fc.constantFrom('moof', 'file'),
    hasTime: fc.boolean(),
    index: fc.constantFrom('all', 'first', 'none'),
    otherBytes: fc.constantFrom(0, 33),
    hasTrailer: fc.boolean(),
  });
  return fc.tuple(tableClips(kind), more).map(([clip, rest]) => ({ ...clip, ...rest }) as FragmentClip);
}

/** Writes the file. */
export function buildFragmentClip(clip: FragmentClip): Buffer {
  const empty = ['stts', 'stsc', 'stco'].map((type) => fullBox(type, 0, u32(0)));
  const mvex = box('mvex', ...[builtTrackId, 3].map((id) => fullBox('trex', 0, u32(id, 1, 0, 0, 0))));
  const front = Buffer.concat([fileType(), movie(clip, [...empty, fullBox('stsz', 0, u32(0, 0))], mvex)]);
  const firsts = clip.samples.flatMap((_, n) => (n % clip.samplesEach === 0 ? [n] : []));
  const durationOf = (first: number) =>
    clip.samples.slice(first, first + clip.samplesEach).reduce((sum, { duration }) => sum + duration, 0);
  const lengths = firsts.map((first, n) => fragment(clip, first, n, 0, 0).length);
  const count = { all: firsts.length, first: 1, none: 0 }[clip.index];
  const entries = firsts
    .slice(0, count)
    .map((first, n) => u32(lengths[n] ?? 0, durationOf(first), 0x90000000));
  const sidx =
    count === 0
      ? Buffer.alloc(0)
      : fullBox('sidx', 0, u32(builtTrackId, clip.timescale, 0, 0, count), Buffer.concat(entries));
  const parts = [front, sidx];
  let at = front.length + sidx.length;
  let time = 0;
  for (const [n, first] of firsts.entries()) {
    const bytes = fragment(clip, first, n, at, time);
    parts.push(bytes);
    at += bytes.length;
    time += durationOf(first);
  }
  if (clip.hasTrailer) parts.push(box('mfra', Buffer.alloc(16 + 19 * firsts.length)));
  return Buffer.concat(parts);
}

function fragment(clip: FragmentClip, first: number, number: number, at: number, time: number): Buffer {
  const samples = clip.samples.slice(first, first + clip.samplesEach);
  const entries = samples.map(({ duration, size, isSync, offset }) =>
    u32(duration, size, isSync ? 0x02000000 : 0x01010000, offset),
  );
  const fromFile = clip.from === 'file';
  const moof = (length: number) => {
    const tfhd = fromFile
      ? fullBox('tfhd', 1, u32(builtTrackId), u64(at))
      : fullBox('tfhd', 0x20000, u32(builtTrackId));
    const tfdt = clip.hasTime ? [fullBox('tfdt', 0x01000000, u64(time))] : [];
    const trun = fullBox('trun', 0x01000f01, u32(samples.length, length + 8), ...entries);
    const other = box(
      'traf',
      fullBox('tfhd', 0x20000, u32(3)),
      fullBox('trun', 0x201, u32(1, 0, clip.otherBytes)),
    );
    return box(
      'moof',
      fullBox('mfhd', 0, u32(number + 1)),
      box('traf', tfhd, ...tfdt, trun),
      ...(clip.otherBytes > 0 ? [other] : []),
    );
  };
  const contents = samples.map((_, n) => sampleBytes(clip, first + n));
  return Buffer.concat([moof(moof(0).length), box('mdat', ...contents, Buffer.alloc(clip.otherBytes, 0xdd))]);
}
