import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { requiredChild } from '../../media/mp4/boxes.ts';
import { readSampleTable } from '../../media/mp4/sample-table.ts';
import { findTrack, type Track } from '../../media/mp4/track.ts';
import { JoinedFlow } from '../open-laid-out.ts';
import { BufferFeed, taken } from '../testing/join-buffers.ts';
import { buildTableClip, sampleBytes, type TableClip, tableClips } from '../testing/table-clip.ts';
import type { Layout, Part, Piece } from './layout.ts';
import { layOutTables } from './progressive.ts';
import { readTableTrack } from './sample-tables.ts';

function trackOf(file: Buffer, kind: 'vide' | 'soun'): Track {
  const moov = requiredChild(file, { start: 0, end: file.length }, 'moov');
  const found = findTrack(file, moov, kind);
  if (found === null) throw new Error(`no ${kind}`);
  return found;
}

function layOutFiles(picture: Buffer, sound: Buffer): Layout & { size: number } {
  const seen = readTableTrack(trackOf(picture, 'vide'), picture.length);
  const heard = readTableTrack(trackOf(sound, 'soun'), sound.length);
  if (seen === null || heard === null) throw new Failure('media_invalid', { note: 'no samples' });
  const layout = layOutTables(seen, heard);
  return { ...layout, size: layout.size ?? 0 };
}

function joined(picture: Buffer, sound: Buffer, start = 0, end: number | null = null): Promise<Buffer> {
  const layout = layOutFiles(picture, sound);
  const feedOf = (part: Part, file: Buffer) => {
    const span = layout.spanOf(part, start, end ?? layout.size);
    return span && new BufferFeed(file.subarray(0, span.end ?? file.length), span.start);
  };
  const feeds = { picture: feedOf('picture', picture), sound: feedOf('sound', sound) };
  return taken(
    new JoinedFlow({
      ...layout.piecesFrom(start, feeds),
      feeds,
      start,
      end: end ?? layout.size,
      size: layout.size,
    }),
  );
}

/** The content of a box of a track's tables. */
function content(file: Buffer, kind: 'vide' | 'soun', type: string): Buffer {
  const { stbl } = trackOf(file, kind);
  const { start, end } = requiredChild(file, stbl, type);
  return file.subarray(start, end);
}

/** Each sample's presentation time, and whether decoding can begin there. */
function timesIn(file: Buffer, kind: 'vide' | 'soun') {
  const { durations, delays, isSync } = readTableTrack(trackOf(file, kind), file.length) ?? {};
  return { durations, delays, isSync };
}

const pairs = fc.record({ picture: tableClips('vide'), sound: tableClips('soun') });

describe('layOutTables', () => {
  it('finds every sample where the new tables say, whatever the old tables are', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async ({ picture, sound }) => {
        const files = { picture: buildTableClip(picture), sound: buildTableClip(sound) };
        const file = await joined(files.picture, files.sound);
        expect(file.length).toBe(layOutFiles(files.picture, files.sound).size);
        for (const [clip, original] of [
          [picture, files.picture],
          [sound, files.sound],
        ] as const) {
          const { stbl } = trackOf(file, clip.kind);
          const { offsets, sizes, count } = readSampleTable(file, stbl, file.length, 1000);
          expect(count).toBe(clip.samples.length);
          for (let n = 0; n < count; n++) {
            const at = offsets[n] ?? 0;
            expect(file.subarray(at, at + (sizes[n] ?? 0)).equals(sampleBytes(clip, n))).toBe(true);
          }
          expect(content(file, clip.kind, 'stsd').equals(content(original, clip.kind, 'stsd'))).toBe(true);
          expect(timesIn(file, clip.kind)).toEqual(timesIn(original, clip.kind));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('returns any range as in the whole file', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, fc.nat(), fc.nat(), async ({ picture, sound }, a, b) => {
        const files = [buildTableClip(picture), buildTableClip(sound)] as const;
        const whole = await joined(...files);
        const start = a % whole.length;
        const end = start + 1 + (b % (whole.length - start));
        expect((await joined(...files, start, end)).equals(whole.subarray(start, end))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('alternates a second of picture and a second of sound', () => {
    const clip = (kind: TableClip['kind'], duration: number, count: number): TableClip => ({
      kind,
      timescale: 1000,
      samples: Array.from({ length: count }, () => ({
        size: 10,
        duration,
        offset: 0,
        isSync: true,
        gap: 0,
        beginsChunk: false,
      })),
      edit: null,
      moov: 'first',
    });
    const layout = layOutFiles(buildTableClip(clip('vide', 40, 50)), buildTableClip(clip('soun', 23, 87)));
    const turns = [...(layout.piecesFrom(0, { picture: null, sound: null }).pieces as Iterable<Piece>)].map(
      (piece) => ('bytes' in piece ? 'head' : `${piece.part} ${(piece.end - piece.start) / 10}`),
    );
    expect(turns).toEqual(['head', 'picture 25', 'sound 44', 'picture 25', 'sound 43']);
  });

  it('returns a layout or a Failure, whatever is changed in the tables', () => {
    const good = buildTableClip({
      kind: 'vide',
      timescale: 600,
      samples: Array.from({ length: 40 }, (_, n) => ({
        size: 5 + n,
        duration: 20,
        offset: n,
        isSync: n % 5 === 0,
        gap: n % 7,
        beginsChunk: n % 3 === 0,
      })),
      edit: { duration: 100, mediaTime: 3 },
      moov: 'first',
    });
    const other = buildTableClip({
      kind: 'soun',
      timescale: 44_100,
      samples: [{ size: 9, duration: 1024, offset: 0, isSync: true, gap: 0, beginsChunk: true }],
      edit: null,
      moov: 'last',
    });
    const moovEnd = good.indexOf('mdat') - 4;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 32, max: moovEnd - 1 }), fc.integer({ min: 0, max: 255 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (changes) => {
          const file = Buffer.from(good);
          for (const [at, value] of changes) file.writeUInt8(value, at);
          try {
            const { size, head } = layOutFiles(file, other);
            expect(size).toBeLessThan(file.length + other.length + head.length);
          } catch (error) {
            if (!(error instanceof Failure) && !String(error).startsWith('Error: no vide')) throw error;
          }
        },
      ),
      { numRuns: 3000 },
    );
  });
});
