import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { readSound } from '../read-sound.ts';
import { planSound } from '../sound-plan.ts';
import { BufferSource, collect } from '../testing/buffer-source.ts';
import { buildMp4, type Mp4Options } from '../testing/mp4-builder.ts';
import { toneAdts, toneFrames } from '../testing/tone.ts';
import { readMovie } from './read-movie.ts';
import { box, fullBox, u32, u32s } from './write-boxes.ts';

const { signal } = new AbortController();

async function failureOf(bytes: Buffer, size: number | null = bytes.length): Promise<string> {
  try {
    await readMovie(new BufferSource(bytes, { size }), signal);
  } catch (error) {
    if (error instanceof Failure) return error.key;
    throw error;
  }
  return 'none';
}

/** Replaces bytes inside the n-th box of a type, counted from the box's type field. */
function patched(bytes: Buffer, type: string, at: number, value: number, nth = 0): Buffer {
  const copy = Buffer.from(bytes);
  let found = -1;
  for (let n = 0; n <= nth; n++) found = copy.indexOf(type, found + 1, 'latin1');
  if (found < 0) throw new Error(`no ${type}`);
  copy.writeUInt32BE(value, found + at);
  return copy;
}

describe('readMovie', () => {
  const layouts: [string, Partial<Mp4Options>][] = [
    ['moov first', {}],
    ['moov last', { moov: 'last' }],
    ['64-bit chunk offsets', { co64: true }],
    ['16-bit sizes', { sizeBits: 16 }],
    ['without a picture', { pictureBytes: 0 }],
    ['fine interleave', { interleaveS: 0.03, pictureBytes: 900 }],
  ];
  it.each(layouts)('finds every frame: %s', async (_name, options) => {
    const source = new BufferSource(buildMp4({ frames: toneFrames, ...options }));
    const movie = await readMovie(source, signal);
    expect(movie.sound.config).toEqual({
      objectType: 2,
      sampleRate: 44100,
      outputSampleRate: 44100,
      channels: 2,
    });
    const sound = readSound(source, movie, planSound(movie), { signal });
    const adts = await collect(sound.frames);
    expect(adts.equals(toneAdts)).toBe(true);
    expect(sound.bytes).toBe(adts.length);
    expect(sound.frameCount).toBe(toneFrames.length);
    expect(source.running).toBe(0);
  });

  it('finds the frames of tables and those of fragments behind them', async () => {
    const [first, rest] = [toneFrames.slice(0, 40), toneFrames.slice(40)];
    const run = (dataAt: number) =>
      fullBox('trun', 0x201, u32(rest.length, dataAt), u32s(rest.map(({ length }) => length)));
    const moof = (dataAt: number) =>
      box('moof', fullBox('mfhd', 0, u32(1)), box('traf', fullBox('tfhd', 0x20000, u32(0)), run(dataAt)));
    const file = Buffer.concat([
      buildMp4({ frames: first, fragmented: true, pictureBytes: 0 }),
      moof(moof(0).length + 8),
      box('mdat', ...rest),
    ]);
    const source = new BufferSource(file);
    const movie = await readMovie(source, signal);
    const adts = await collect(readSound(source, movie, planSound(movie), { signal }).frames);
    expect(adts.equals(toneAdts)).toBe(true);
    expect(movie.sound.samples.bytes).toBe(Buffer.concat(toneFrames).length);
  });

  it('reads a moov at the end without the bytes before it', async () => {
    const source = new BufferSource(buildMp4({ frames: toneFrames, moov: 'last', pictureBytes: 2_000_000 }));
    await readMovie(source, signal);
    expect(source.reads).toHaveLength(2);
    expect(source.bytesRead).toBeLessThan(130 * 1024);
  });

  it('takes start and length of the sound from the edit list', async () => {
    const edit = { mediaTime: 2112, durationS: 2 };
    const movie = await readMovie(new BufferSource(buildMp4({ frames: toneFrames, edit })), signal);
    const { facts } = planSound(movie);
    // The first of the two silent frames is not fetched.
    expect(facts.skipSamples).toBe(2112 - 1024);
    expect(facts.durationS).toBeCloseTo(2, 2);
    expect(facts.frameCount).toBe(Math.ceil((2112 + 2.001 * 44100) / 1024) - 1);
  });

  it('refuses what is not an mp4', async () => {
    expect(await failureOf(Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\nhttp://127.0.0.1/a.ts\n'))).toBe(
      'media_invalid',
    );
    expect(await failureOf(Buffer.from('<!doctype html><title>Access Denied</title>'))).toBe('media_invalid');
    expect(await failureOf(Buffer.alloc(0))).toBe('media_invalid');
    expect(await failureOf(toneAdts)).toBe('media_invalid');
  });

  it('distinguishes a file without sound from one with another codec', async () => {
    expect(await failureOf(buildMp4({ frames: toneFrames, sound: false }))).toBe('sound_missing');
    expect(await failureOf(buildMp4({ frames: [] }))).toBe('sound_missing');
    expect(await failureOf(buildMp4({ frames: toneFrames, soundFormat: 'Opus' }))).toBe('sound_unsupported');
    expect(await failureOf(buildMp4({ frames: toneFrames, codec: 0x6b }))).toBe('sound_unsupported');
  });

  it('refuses hostile tables', async () => {
    const good = buildMp4({ frames: toneFrames });
    const nth = 1; // the picture's boxes come first
    const hostile: [string, Buffer][] = [
      ['4 GB moov', patched(good, 'moov', -4, 0xfffffff0)],
      ['zero-size loop', patched(good, 'trak', -4, 1)],
      ['size below the header', patched(good, 'mdia', -4, 7)],
      ['child larger than its parent', patched(good, 'stbl', -4, 0x7fffffff, nth)],
      ['huge sample count', patched(good, 'stsz', 12, 0xffffffff, nth)],
      ['huge uniform samples', patched(patched(good, 'stsz', 8, 5000, nth), 'stsz', 12, 900_000, nth)],
      ['4 GB sample', patched(good, 'stsz', 16, 0xffffffff, nth)],
      ['zero-size sample', patched(good, 'stsz', 16, 0, nth)],
      ['huge chunk count', patched(good, 'stco', 8, 0x40000000, nth)],
      ['chunk past the end', patched(good, 'stco', 12, 0xfffffff0, nth)],
      [
        'overlapping chunks',
        patched(good, 'stco', 16, good.readUInt32BE(good.lastIndexOf('stco') + 12) + 9, nth),
      ],
      ['chunks without samples', patched(good, 'stsc', 16, 0, nth)],
      ['no timescale', patched(good, 'mdhd', 16, 0, nth)],
      ['cut off', good.subarray(0, 700)],
    ];
    for (const [name, bytes] of hostile)
      expect([name, await failureOf(bytes)]).toEqual([name, 'media_invalid']);
    expect(await failureOf(patched(good, 'moov', -4, 0xfffffff0), null)).toBe('media_invalid');
  });

  it('stops at a file that consists of boxes only', async () => {
    const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0'));
    const many = Buffer.concat([ftyp, ...Array.from({ length: 5000 }, () => box('free'))]);
    expect(await failureOf(many)).toBe('media_invalid');
    const far = Buffer.concat([
      ftyp,
      ...Array.from({ length: 150 }, () => box('free', Buffer.alloc(100_000))),
    ]);
    const source = new BufferSource(far);
    await expect(readMovie(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
    expect(source.reads.length).toBeLessThan(140);
    expect(source.bytesRead).toBeLessThan(2_000_000);
  });

  it('fails with the reason of its signal', async () => {
    const reason = new Failure('conversion_cancelled');
    const source = new BufferSource(buildMp4({ frames: toneFrames }));
    await expect(readMovie(source, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('returns a movie or a Failure, whatever is changed in the tables', async () => {
    const bases = [
      buildMp4({ frames: toneFrames, pictureBytes: 50, edit: { mediaTime: 1024, durationS: 2 } }),
      buildMp4({ frames: toneFrames, pictureBytes: 50, moov: 'last', co64: true, sizeBits: 16 }),
    ];
    const value = fc.oneof(
      fc.constantFrom(0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff),
      fc.nat(0xffffffff),
    );
    const edit = fc.record({
      at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
      value,
      wide: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.boolean(),
        async (base, edits, cut, knowsSize) => {
          const original = bases[base] ?? Buffer.alloc(0);
          const moovAt = original.indexOf('moov') - 4;
          const moovBytes = original.readUInt32BE(moovAt);
          let bytes = Buffer.from(original);
          for (const { at, value, wide } of edits) {
            const offset = moovAt + Math.floor(at * (moovBytes - 4));
            if (wide) bytes.writeUInt32BE(value, offset);
            else bytes.writeUInt8(value & 0xff, offset);
          }
          if (cut !== null) bytes = bytes.subarray(0, Math.floor(cut * bytes.length));
          const source = new BufferSource(bytes, knowsSize ? {} : { size: null });
          try {
            const movie = await readMovie(source, signal);
            const plan = planSound(movie);
            let length = 0;
            for await (const chunk of readSound(source, movie, plan, { signal }).frames)
              length += chunk.length;
            expect(length).toBe(plan.facts.bytes);
            expect(plan.facts.durationS).toBeGreaterThan(0);
            expect(plan.facts.skipSamples).toBeGreaterThanOrEqual(0);
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
          }
          expect(source.running).toBe(0);
          expect(source.bytesRead).toBeLessThan(4 * bytes.length + 1000);
        },
      ),
      { numRuns: 1500 },
    );
  });
});
