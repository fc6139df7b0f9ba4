import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { buildFragmentClip, type FragmentClip, fragmentClips } from '../../joining/testing/fragment-clip.ts';
import { builtTrackId, sampleBytes } from '../../joining/testing/table-clip.ts';
import { BufferSource } from '../testing/buffer-source.ts';
import { readFragmentIndex } from './fragment-index.ts';
import type { SampleTable } from './sample-table.ts';

const { signal } = new AbortController();
const none = { description: 1, duration: 0, size: 0, flags: 0 };
const defaults = new Map([builtTrackId, 3].map((id) => [id, none]));

function read(file: Buffer, headBytes: number): Promise<{ samples: SampleTable; bytesRead: number }> {
  const start = file.indexOf('moof') - 4;
  const source = new BufferSource(file, { chunkBytes: 700 });
  const head = file.subarray(0, Math.max(start, headBytes));
  return readFragmentIndex({ source, head, start, trackId: builtTrackId, defaults, signal });
}

describe('readFragmentIndex', () => {
  it('finds every frame, and reads the file once', async () => {
    await fc.assert(
      fc.asyncProperty(fragmentClips('soun'), fc.nat({ max: 5000 }), async (clip, headBytes) => {
        const file = buildFragmentClip(clip);
        const { samples, bytesRead } = await read(file, headBytes);
        expect(samples.count).toBe(clip.samples.length);
        for (let n = 0; n < samples.count; n++) {
          const at = samples.offsets[n] ?? 0;
          expect(file.subarray(at, at + (samples.sizes[n] ?? 0)).equals(sampleBytes(clip, n))).toBe(true);
        }
        expect(bytesRead).toBeLessThanOrEqual(file.length);
      }),
      { numRuns: 150 },
    );
  });

  const sample = { size: 20, duration: 10, offset: 0, isSync: true, gap: 0, beginsChunk: false };
  const clip: FragmentClip = {
    kind: 'soun',
    timescale: 100,
    samples: Array.from({ length: 30 }, () => sample),
    edit: null,
    moov: 'first',
    samplesEach: 10,
    from: 'moof',
    hasTime: true,
    index: 'all',
    otherBytes: 0,
    hasTrailer: true,
  };
  const good = buildFragmentClip(clip);

  it.each<[string, Buffer]>([
    ['cut in its last fragment', good.subarray(0, good.lastIndexOf('mdat') + 50)],
    ['cut after its last moof', good.subarray(0, good.lastIndexOf('mdat') - 4)],
    ['cut in a header', good.subarray(0, good.lastIndexOf('mdat'))],
  ])('a file that is %s is not a sound', async (_name, file) => {
    await expect(read(file, 0)).rejects.toMatchObject({ key: 'media_invalid' });
  });

  it('returns a table or a Failure, whatever is changed', async () => {
    const change = fc.tuple(fc.nat(), fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 255)));
    const first = good.indexOf('moof') + 4;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const file = Buffer.from(good);
        for (const [at, value] of changes) file.writeUInt8(value, first + (at % (file.length - first)));
        try {
          const { samples } = await read(file, 0);
          expect(samples.bytes).toBeLessThanOrEqual(file.length);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
      }),
      { numRuns: 1500 },
    );
  });
});
