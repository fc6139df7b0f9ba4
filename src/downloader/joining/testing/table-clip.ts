import fc from 'fast-check';
import { box, bytes, fullBox, u16, u32, u32s } from '../../media/mp4/write-boxes.ts';

/** A file with one track of meaningless samples. */
export interface TableClip {
  readonly kind: 'vide' | 'soun';
  readonly timescale: number;
  readonly samples: readonly {
    readonly size: number;
    readonly duration: number;
    readonly offset: number;
    readonly isSync: boolean;
    /** Bytes without an owner, before the sample; a chunk begins after them. */
    readonly gap: number;
    readonly beginsChunk: boolean;
  }[];
  readonly edit: { readonly duration: number; readonly mediaTime: number } | null;
  readonly moov: 'first' | 'last';
}

/** Every kind of table that {@link buildTableClip} writes. */
export function tableClips(kind: TableClip['kind']): fc.Arbitrary<TableClip> {
  return fc.record({
    kind: fc.constant(kind),
    timescale: fc.constantFrom(1, 600, 1000, 15_360, 44_100, 90_000),
    samples: fc.array(
      fc.record({
        size: fc.integer({ min: 1, max: 300 }),
        duration: fc.oneof(fc.constant(1024), fc.integer({ min: 0, max: 40_000 })),
        offset: fc.integer({ min: -2000, max: 9000 }),
        isSync: fc.boolean(),
        gap: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 })),
        beginsChunk: fc.boolean(),
      }),
      { minLength: 1, maxLength: 120 },
    ),
    edit: fc.option(
      fc.record({
        duration: fc.integer({ min: 0, max: 100_000 }),
        mediaTime: fc.integer({ min: -1, max: 5000 }),
      }),
    ),
    moov: fc.constantFrom('first', 'last'),
  });
}

/** The content of a sample: its kind and number, repeated. */
export function sampleBytes({ kind, samples }: TableClip, n: number): Buffer {
  return Buffer.alloc(samples[n]?.size ?? 0, `${kind}${n};`);
}

/** Writes the file. */
export function buildTableClip(clip: TableClip): Buffer {
  const { samples, moov: moovPlace } = clip;
  const data: Buffer[] = [];
  const chunkAt: number[] = [];
  const chunkCounts: number[] = [];
  let at = 0;
  for (const [n, { gap, beginsChunk }] of samples.entries()) {
    data.push(Buffer.alloc(gap, 0xee));
    at += gap;
    if (n === 0 || gap > 0 || beginsChunk) {
      chunkAt.push(at);
      chunkCounts.push(0);
    }
    chunkCounts.push((chunkCounts.pop() ?? 0) + 1);
    const sample = sampleBytes(clip, n);
    data.push(sample);
    at += sample.length;
  }
  const ftyp = fileType();
  const mdat = box('mdat', ...data);
  const syncs = samples.flatMap(({ isSync }, n) => (isSync ? [n + 1] : []));
  const moov = (mediaAt: number) =>
    movie(clip, [
      fullBox('stts', 0, u32(samples.length), u32s(samples.flatMap(({ duration }) => [1, duration]))),
      fullBox('ctts', 0, u32(samples.length), u32s(samples.flatMap(({ offset }) => [1, offset]))),
      fullBox('stss', 0, u32(syncs.length), u32s(syncs)),
      fullBox('stsc', 0, u32(chunkCounts.length), u32s(chunkCounts.flatMap((count, n) => [n + 1, count, 1]))),
      fullBox('stsz', 0, u32(0, samples.length), u32s(samples.map(({ size }) => size))),
      fullBox('stco', 0, u32(chunkAt.length), u32s(chunkAt.map((offset) => offset + mediaAt))),
    ]);
  if (moovPlace === 'last') return Buffer.concat([ftyp, mdat, moov(ftyp.length + 8)]);
  return Buffer.concat([ftyp, moov(ftyp.length + moov(0).length + 8), mdat]);
}

export function fileType(): Buffer {
  return box('ftyp', bytes('isom'), u32(0x200), bytes('isommp41'));
}

/** The `track_ID` of every built track. */
export const builtTrackId = 7;

/** A `moov` with one track. @param tables what its `stbl` has besides descriptions @param more what comes after the track */
export function movie(
  { kind, timescale, edit }: Pick<TableClip, 'kind' | 'timescale' | 'edit'>,
  tables: readonly Buffer[],
  ...more: Buffer[]
): Buffer {
  const description = box(kind === 'vide' ? 'avc1' : 'mp4a', u16(0, 0, 0, 1), Buffer.alloc(70));
  const elst = edit && fullBox('elst', 0, u32(1, edit.duration, edit.mediaTime, 0x10000));
  return box(
    'moov',
    fullBox('mvhd', 0, u32(0, 0, 1000, 0), Buffer.alloc(80)),
    box(
      'trak',
      fullBox('tkhd', 1, u32(0, 0, builtTrackId, 0, 0), Buffer.alloc(60)),
      ...(elst === null ? [] : [box('edts', elst)]),
      box(
        'mdia',
        fullBox('mdhd', 0, u32(0, 0, timescale, 0), u16(0x55c4, 0)),
        fullBox('hdlr', 0, u32(0), bytes(kind), Buffer.alloc(13)),
        box(
          'minf',
          kind === 'vide' ? fullBox('vmhd', 1, Buffer.alloc(8)) : fullBox('smhd', 0, u32(0)),
          box('stbl', fullBox('stsd', 0, u32(1), description), ...tables),
        ),
      ),
    ),
    ...more,
  );
}
