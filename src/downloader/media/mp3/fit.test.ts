import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collect } from '../testing/buffer-source.ts';
import { mp3Frames } from '../testing/mp3-encoder-suite.ts';
import { soundOf, toneAdts, toneFrames } from '../testing/tone.ts';
import { fitMp3, infoFrame, mp3Length } from './fit.ts';
import { bitrates, bytesBefore, mp3Bitrate, mp3Layout, silentFrame } from './layout.ts';

const layoutOf = (frameCount: number, sampleRate = 44100) =>
  mp3Layout(soundOf([], frameCount, { sampleRate }));

/** A stream of this many frames, in chunks of an unrelated size. */
async function* stream(frames: number, sampleRate: number, chunkBytes = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.concat(
    Array.from({ length: frames }, (_, n) => silentFrame({ sampleRate, channels: 2 }, n)),
  );
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

describe('mp3Layout', () => {
  it('counts frames as LAME does', () => {
    // Measured with LAME 3.100 at 44.1 kHz: the numbers of AAC frames of 1024 samples, and of bytes.
    expect(layoutOf(2615)).toMatchObject({ frames: 2326, audioBytes: 972_173 });
    expect(layoutOf(2616)).toMatchObject({ frames: 2327, audioBytes: 972_591 });
  });

  it('leaves exactly the audible part between delay and padding', () => {
    const sound = { ...soundOf([], 1000), skipSamples: 1088, durationS: 1_022_000 / 44100 };
    const { frames, delay, padding } = mp3Layout(sound);
    expect(frames * 1152 - delay - padding).toBe(1_022_000);
    expect(delay).toBe(576 + 1088);
  });

  it('says exactly where any part of a sound of any rate begins and ends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(7350, 8000, 11025, 12000, 16000, 22050, 32000, 44100, 48000),
        fc.integer({ min: -50_000, max: 4095 }),
        fc.integer({ min: 1, max: 50_000 }),
        fc.nat(2047),
        (rate, skipSamples, heard, rest) => {
          const frameCount = Math.max(2, Math.ceil((skipSamples + heard + rest) / 1024));
          const sound = {
            ...soundOf([], frameCount, { sampleRate: rate }),
            skipSamples,
            durationS: heard / rate,
          };
          const { sampleRate, frames, delay, padding, leftOutS, surplus } = mp3Layout(sound);
          expect(frames * 1152 - delay - padding).toBe(Math.round((heard / rate) * sampleRate));
          // Twelve bits hold each of them.
          expect(Math.max(delay, padding)).toBeLessThan(4096);
          expect(Math.min(delay - 576, padding, surplus)).toBeGreaterThanOrEqual(0);
          const begins = leftOutS + (delay - 576) / sampleRate;
          expect(Math.abs(begins - skipSamples / rate)).toBeLessThan(1 / sampleRate);
        },
      ),
    );
  });

  it('keeps the rates of MPEG-1 and mono, and converts everything else to 44.1 kHz', () => {
    expect(layoutOf(10, 48000).sampleRate).toBe(48000);
    expect(layoutOf(10, 32000).sampleRate).toBe(32000);
    expect(layoutOf(10, 22050).sampleRate).toBe(44100);
    expect(mp3Layout(soundOf([], 10, { channels: 1 })).channels).toBe(1);
    // Mono, or stereo that the stream does not announce.
    expect(mp3Layout(soundOf([], 10, { channels: 1, sampleRate: 24000 })).channels).toBe(2);
    expect(mp3Layout(soundOf([], 10, { channels: 6 })).channels).toBe(2);
  });
});

describe('fitMp3', () => {
  it.each([-3, -1, 0, 1, 3])('returns the announced length when the encoder is off by %i', async (off) => {
    for (const sampleRate of [44100, 48000, 32000]) {
      const sound = soundOf([], 500, { sampleRate });
      const layout = mp3Layout(sound);
      const mp3 = await collect(fitMp3(stream(layout.frames + off, sampleRate), sound));
      expect(mp3.length).toBe(mp3Length(sound));
      const frames = mp3Frames(mp3);
      expect(frames).toHaveLength(layout.frames + 1);
      expect(
        frames.every((frame) => frame.bitrate === mp3Bitrate / 1000 && frame.sampleRate === sampleRate),
      ).toBe(true);
    }
  });

  it('returns the announced length for any number of frames and any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: -3, max: 3 }),
        async (count, chunkBytes, off) => {
          const sound = soundOf([], count);
          const frames = Math.max(1, mp3Layout(sound).frames + off);
          const mp3 = await collect(fitMp3(stream(frames, 44100, chunkBytes), sound));
          expect(mp3.length).toBe(mp3Length(sound));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('fails when most is missing, when there is too much, and for something else', async () => {
    const sound = soundOf([], 500);
    const { frames } = mp3Layout(sound);
    const failing = [
      stream(0, 44100),
      stream(Math.floor(frames / 2), 44100),
      stream(frames * 2, 44100),
      stream(frames, 48000),
      (async function* () {
        yield Buffer.from('ID3\x03\x00garbage');
      })(),
      (async function* () {
        yield* stream(frames - 1, 44100);
        yield Buffer.alloc(100);
      })(),
    ];
    for (const encoded of failing) {
      await expect(collect(fitMp3(encoded, sound))).rejects.toMatchObject({ key: 'conversion_failed' });
    }
  });

  it('returns no byte before the encoder returns its first', async () => {
    const failing = (async function* (): AsyncGenerator<Uint8Array> {
      yield* [];
      throw new Error('at once');
    })();
    await expect(fitMp3(failing, soundOf([], 500)).next()).rejects.toThrow('at once');
  });
});

describe('infoFrame', () => {
  it.each([1, 2])('states length, delay and padding, with a checksum (%i channels)', (channels) => {
    const sound = { ...soundOf([], 1000, { channels }), skipSamples: 1024 };
    const layout = mp3Layout(sound);
    const frame = Buffer.from(infoFrame(layout));
    expect(mp3Frames(frame)).toHaveLength(1);
    const at = frame.indexOf('Info');
    expect(at).toBe(channels === 1 ? 21 : 36);
    expect(frame.readUInt32BE(at + 8)).toBe(layout.frames);
    expect(frame.readUInt32BE(at + 12)).toBe(mp3Length(sound));
    expect(frame.toString('latin1', at + 120, at + 129)).toBe('LAME3.100');
    expect(frame.readUIntBE(at + 141, 3)).toBe((layout.delay << 12) | layout.padding);
  });
});

describe('silentFrame', () => {
  it('has the size that LAME gives the frame with that number', () => {
    let bytes = 0;
    for (let n = 0; n < 500; n++) {
      bytes += silentFrame({ sampleRate: 44100, channels: 2 }, n).length;
      expect(bytes).toBe(bytesBefore(n + 1, 44100));
    }
  });
});

afterEach(() => {
  vi.doUnmock('./layout.ts');
  vi.resetModules();
});

it.each(bitrates)('writes %i kbit/s in one byte', async (kilobitsPerSecond) => {
  vi.resetModules();
  vi.doMock('./layout.ts', async (importOriginal) => ({
    ...(await importOriginal<typeof import('./layout.ts')>()),
    mp3Bitrate: kilobitsPerSecond * 1000,
  }));
  const { infoFrame } = await import('./fit.ts');
  const frame = Buffer.from(infoFrame(mp3Layout(soundOf([toneAdts], toneFrames.length))));
  expect(frame[frame.indexOf('LAME3.100') + 20]).toBe(Math.min(255, kilobitsPerSecond));
});
