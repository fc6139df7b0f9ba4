import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { adtsFrameLength } from './adts.ts';
import { type Movie, readMovie } from './mp4/read-movie.ts';
import { readSound } from './read-sound.ts';
import { planSound } from './sound-plan.ts';
import { BufferSource, collect } from './testing/buffer-source.ts';
import { buildMp4, framesOfAdts, type Mp4Options } from './testing/mp4-builder.ts';
import { toneFrames, toneFramesOf } from './testing/tone.ts';

const { signal } = new AbortController();

async function open(options: Mp4Options): Promise<{ source: BufferSource; movie: Movie }> {
  const source = new BufferSource(buildMp4(options));
  return { source, movie: await readMovie(source, signal) };
}

describe('planSound', () => {
  it('downloads little more than the sound of a clip with the usual interleave', async () => {
    const frames = toneFramesOf(60);
    const { source, movie } = await open({ frames, interleaveS: 0.5, pictureBytes: 100_000 });
    const plan = planSound(movie);
    expect(plan.mode).toBe('ranges');
    expect(plan.runs.length).toBeLessThanOrEqual(150);
    const adts = await collect(readSound(source, movie, plan, { signal }).frames);
    const soundBytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    expect(framesOfAdts(adts)).toHaveLength(frames.length);
    expect(source.bytesRead).toBeLessThanOrEqual(1.3 * soundBytes + 200_000);
  });

  it('streams the whole file when the sound is in too many pieces', async () => {
    const { movie } = await open({ frames: toneFramesOf(60), interleaveS: 0.05, pictureBytes: 10_000 });
    expect(planSound(movie).mode).toBe('whole');
  });

  it('streams the whole file when requests take longer than the bytes between them', async () => {
    const { movie } = await open({ frames: toneFramesOf(60), interleaveS: 0.5, pictureBytes: 100_000 });
    expect(planSound(movie, { latencyMs: 80, connections: 2 }).mode).toBe('whole');
    expect(planSound(movie, { latencyMs: 80, bytesPerSecond: 2_500_000, connections: 8 }).mode).toBe(
      'ranges',
    );
  });

  it('reads across small gaps instead of sending another request', async () => {
    const { movie } = await open({ frames: toneFramesOf(10), interleaveS: 0.5, pictureBytes: 2000 });
    const plan = planSound(movie);
    expect(plan.runs).toHaveLength(1);
    expect(plan.mode).toBe('ranges');
  });

  it('covers every frame once and in order, whatever the interleave', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0.02, max: 3, noNaN: true }),
        fc.integer({ min: 1, max: 9000 }),
        fc.constantFrom('first' as const, 'last' as const),
        fc.integer({ min: 1, max: 70_000 }),
        fc.constantFrom('ranges' as const, 'whole' as const),
        async (count, interleaveS, pictureBytes, moov, chunkBytes, mode) => {
          const frames = toneFrames.slice(0, count);
          const source = new BufferSource(buildMp4({ frames, interleaveS, pictureBytes, moov }), {
            chunkBytes,
          });
          const movie = await readMovie(source, signal);
          const plan = { ...planSound(movie), mode };
          const adts = await collect(readSound(source, movie, plan, { signal }).frames);
          expect(Buffer.concat(framesOfAdts(adts)).equals(Buffer.concat(frames))).toBe(true);
          expect(adts.length).toBe(plan.facts.bytes);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('readSound', () => {
  const spread: Mp4Options = { frames: toneFramesOf(30), interleaveS: 0.5, pictureBytes: 50_000 };

  it('requests several ranges at once, and no more than allowed', async () => {
    const { source, movie } = await open(spread);
    await collect(readSound(source, movie, planSound(movie), { connections: 5, signal }).frames);
    expect(source.mostRunning).toBe(5);
  });

  it('reads ahead no further than its connections allow', async () => {
    const { source, movie } = await open(spread);
    source.reads = [];
    const frames = readSound(source, movie, planSound(movie), { connections: 4, signal }).frames[
      Symbol.asyncIterator
    ]();
    await frames.next();
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(source.reads.length).toBeLessThanOrEqual(5);
    await frames.return?.();
  });

  it.each(['ranges', 'whole'] as const)(
    'leaves nothing running when its reader leaves early (%s)',
    async (mode) => {
      const { source, movie } = await open(spread);
      for await (const chunk of readSound(source, movie, { ...planSound(movie), mode }, { signal }).frames) {
        expect(adtsFrameLength(chunk, 0)).toBeGreaterThan(0);
        break;
      }
      expect(source.running).toBe(0);
    },
  );

  it.each(['ranges', 'whole'] as const)('stops with the reason of its signal (%s)', async (mode) => {
    const { source, movie } = await open(spread);
    const abort = new AbortController();
    const reason = new Failure('conversion_cancelled');
    const { frames } = readSound(source, movie, { ...planSound(movie), mode }, { signal: abort.signal });
    const reading = (async () => {
      for await (const _chunk of frames) abort.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect(source.running).toBe(0);
  });

  it.each(['ranges', 'whole'] as const)('fails when the file ends before its sound (%s)', async (mode) => {
    const bytes = buildMp4(spread);
    const movie = await readMovie(new BufferSource(bytes), signal);
    const source = new BufferSource(bytes.subarray(0, bytes.length - 60_000));
    const { frames } = readSound(source, movie, { ...planSound(movie), mode }, { signal });
    await expect(collect(frames)).rejects.toMatchObject({ key: 'media_invalid' });
    expect(source.running).toBe(0);
  });

  it('throws the error of the source, when its turn comes', async () => {
    const { source, movie } = await open(spread);
    const lost = new Failure('media_invalid');
    const read = source.read.bind(source);
    let reads = 0;
    source.read = async (...args) => {
      if (++reads === 6) throw lost;
      return read(...args);
    };
    const chunks: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of readSound(source, movie, planSound(movie), { connections: 8, signal })
        .frames) {
        chunks.push(chunk);
      }
    })();
    await expect(reading).rejects.toBe(lost);
    expect(chunks.length).toBeGreaterThan(3);
    expect(source.running).toBe(0);
  });
});
