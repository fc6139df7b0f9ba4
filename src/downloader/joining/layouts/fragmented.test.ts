import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { readBoxHeader } from '../../media/mp4/boxes.ts';
import { readFragment } from '../../media/mp4/fragment.ts';
import { box, fullBox, u32 } from '../../media/mp4/write-boxes.ts';
import { buildFragmentClip, type FragmentClip, fragmentClips } from '../testing/fragment-clip.ts';
import { joinBuffers } from '../testing/join-buffers.ts';
import { buildTableClip, sampleBytes, type TableClip, tableClips } from '../testing/table-clip.ts';

type AnyClip = TableClip | FragmentClip;
const build = (clip: AnyClip) => ('samplesEach' in clip ? buildFragmentClip(clip) : buildTableClip(clip));
/** An index of the first fragment only may omit so little that the rest could follow the last fragment. */
const isKnown = (clip: AnyClip) =>
  !('samplesEach' in clip) || { all: true, none: false, first: null }[clip.index];

const pairs = fc
  .record({
    picture: fc.oneof(fragmentClips('vide'), tableClips('vide')),
    sound: fc.oneof(fragmentClips('soun'), tableClips('soun')),
  })
  .filter((clips) => Object.values(clips).some((clip) => 'samplesEach' in clip));

interface Found {
  readonly samples: Buffer[];
  readonly times: number[];
  readonly sequences: number[];
}

/** The samples of a track of a fragmented file, by the fragments' own data. */
function samplesOf(file: Buffer, trackId: number): Found {
  const found: Found = { samples: [], times: [], sequences: [] };
  const none = { description: 1, duration: 0, size: 0, flags: 0 };
  const defaults = new Map([1, 2, 3].map((id) => [id, none]));
  for (let at = 0; at < file.length; ) {
    const header = readBoxHeader(file, at);
    if (header?.size == null) throw new Error(`no box at ${at}`);
    const { type, size, headerLength } = header;
    if (type === 'moof') {
      const moof = file.subarray(at, at + size);
      const { tracks, sequenceAt } = readFragment(moof, headerLength, at, defaults);
      found.sequences.push(moof.readUInt32BE(sequenceAt));
      for (const track of tracks) {
        if (track.trackId !== trackId) continue;
        if (track.time !== null) found.times.push(track.time);
        for (const run of track.runs) {
          let start = run.start;
          for (let n = 0; n < run.count; n++) {
            found.samples.push(file.subarray(start, start + run.sizeOf(n)));
            start += run.sizeOf(n);
          }
        }
      }
    }
    at += size;
  }
  return found;
}

describe('layOutFragments', () => {
  it('finds every sample where its fragment says, in order', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, async (clips) => {
        const joined = await joinBuffers({ picture: build(clips.picture), sound: build(clips.sound) });
        const file = await joined.read();
        expect(file.length).toBe(joined.layout.size);
        for (const [clip, id] of [
          [clips.picture, 1],
          [clips.sound, 2],
        ] as const) {
          const { samples, times, sequences } = samplesOf(file, id);
          expect(samples.length).toBe(clip.samples.length);
          for (const [n, sample] of samples.entries()) expect(sample.equals(sampleBytes(clip, n))).toBe(true);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('returns any range as in the whole file, when the order is known', async () => {
    await fc.assert(
      fc.asyncProperty(pairs, fc.nat(), fc.nat(), async (clips, a, b) => {
        const joined = await joinBuffers({ picture: build(clips.picture), sound: build(clips.sound) });
        const known = [isKnown(clips.picture), isKnown(clips.sound)];
        if (known.includes(false)) expect(joined.layout.hasRanges).toBe(false);
        else if (!known.includes(null)) expect(joined.layout.hasRanges).toBe(true);
        if (!joined.layout.hasRanges) return;
        const whole = await joined.read();
        const start = a % whole.length;
        const end = start + 1 + (b % (whole.length - start));
        expect((await joined.read(start, end)).equals(whole.subarray(start, end))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('fragments of many samples', () => {
  it.each(['all', 'none'] as const)('finds them and those behind them (index of %s)', async (index) => {
    const clip = (kind: TableClip['kind']): FragmentClip => ({
      kind,
      timescale: 1000,
      samples: Array.from({ length: 7000 }, (_, n) => ({
        size: 5 + (n % 9),
        duration: 1,
        offset: 0,
        isSync: true,
        gap: 0,
        beginsChunk: false,
      })),
      edit: null,
      moov: 'first',
      samplesEach: 3000,
      from: 'file',
      hasTime: true,
      index,
      otherBytes: 0,
      hasTrailer: false,
    });
    const clips = [clip('vide'), clip('soun')] as const;
    const joined = await joinBuffers({ picture: build(clips[0]), sound: build(clips[1]) });
    const file = await joined.read();
    for (const [n, one] of clips.entries()) {
      const { samples } = samplesOf(file, n + 1);
      expect(samples.length).toBe(7000);
      expect(samples.every((sample, at) => sample.equals(sampleBytes(one, at)))).toBe(true);
    }
  });
});

describe('hostile fragments', () => {
  const sample = { size: 20, duration: 10, offset: 0, isSync: true, gap: 0, beginsChunk: false };
  const clip = (kind: TableClip['kind'], more: Partial<FragmentClip> = {}): FragmentClip => ({
    kind,
    timescale: 100,
    samples: Array.from({ length: 30 }, () => sample),
    edit: null,
    moov: 'first',
    samplesEach: 10,
    from: 'moof',
    hasTime: true,
    index: 'none',
    otherBytes: 0,
    hasTrailer: false,
    ...more,
  });
  const sound = buildFragmentClip(clip('soun'));
  const outcome = async (picture: Buffer) => {
    try {
      const joined = await joinBuffers({ picture, sound });
      return await joined.read();
    } catch (error) {
      if (error instanceof Failure) return error.key;
      throw error;
    }
  };
  const patched = (file: Buffer, type: string, at: number, value: number) => {
    const copy = Buffer.from(file);
    copy.writeUInt32BE(value, copy.lastIndexOf(type, undefined, 'latin1') + at);
    return copy;
  };
  const good = buildFragmentClip(clip('vide'));
  const indexed = buildFragmentClip(clip('vide', { index: 'all' }));
  const hugeBox = (type: string) => Buffer.concat([u32(64 * 2 ** 20), Buffer.from(type, 'latin1')]);

  it.each<[string, Buffer]>([
    ['a moof that is larger than it says', patched(good, 'moof', -4, 16)],
    ['a moof that is smaller than it says', patched(good, 'moof', -4, 0x400)],
    ['an mdat that reaches past the end', patched(good, 'mdat', -4, 0x7fffffff)],
    ['an mdat that is too short for its samples', patched(good, 'mdat', -4, 8)],
    ['an mdat of no size', patched(good, 'mdat', -4, 3)],
    ['samples outside of their mdat', patched(good, 'trun', 12, 0x7fffff)],
    ['samples before their moof', patched(good, 'trun', 12, 0xffffff00)],
    ['more samples than there are', patched(good, 'trun', 8, 0x7fffffff)],
    ['a sample of no bytes', patched(good, 'trun', 20, 0)],
    ['a sample of 4 GB', patched(good, 'trun', 20, 0xffffffff)],
    ['a fragment of no track', patched(good, 'tfhd', 8, 99)],
    ['an index that reaches past the end', patched(indexed, 'sidx', 28, 0x7fffffff)],
    ['an index of segments of no bytes', patched(indexed, 'sidx', 28, 0)],
    ['an index that cuts through a fragment', patched(indexed, 'sidx', 28, 500)],
    ['cut in the last fragment', good.subarray(0, -1)],
    ['cut after the last moof', good.subarray(0, good.lastIndexOf('mdat') - 4)],
    ['cut in a box header', good.subarray(0, good.lastIndexOf('mdat') + 2)],
    ['a moof of 64 MB', Buffer.concat([good, hugeBox('moof'), Buffer.alloc(64 * 2 ** 20)])],
    ['a moov of 64 MB', Buffer.concat([good.subarray(0, 24), hugeBox('moov'), Buffer.alloc(64 * 2 ** 20)])],
    [
      '100,000 fragments',
      Buffer.concat([
        good,
        ...Array.from({ length: 100_000 }, () => box('moof', fullBox('mfhd', 0, u32(1)))),
      ]),
    ],
  ])('%s is a failure', async (_name, picture) => {
    const result = await outcome(picture);
    expect(typeof result === 'string' ? result : 'a file').toBe('media_invalid');
  });

  it('an index of 64 MB is a failure', async () => {
    const at = good.indexOf('moof') - 4;
    const sidx = Buffer.concat([hugeBox('sidx'), Buffer.alloc(64 * 2 ** 20 - 8)]);
    const file = Buffer.concat([good.subarray(0, at), sidx, good.subarray(at)]);
    const result = await outcome(file);
    expect(typeof result === 'string' ? result : 'a file').toBe('media_invalid');
  });

  it('returns a file or a Failure, whatever is changed', async () => {
    const files = [
      good,
      indexed,
      buildFragmentClip(clip('vide', { from: 'file', otherBytes: 40, hasTrailer: true })),
    ];
    const change = fc.tuple(fc.nat(), fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 255)));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.option(fc.nat()),
        async (original, changes, cut) => {
          const file = Buffer.from(original);
          for (const [at, value] of changes) file.writeUInt8(value, 24 + (at % (file.length - 24)));
          const read = await outcome(cut === null ? file : file.subarray(0, cut % file.length));
          if (typeof read !== 'string') expect(read.length).toBeLessThan(file.length + sound.length + 4000);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
