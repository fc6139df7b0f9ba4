import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { adtsFrameLength } from '../adts.ts';
import type { AdtsSound, Mp3Encoder } from '../contracts.ts';
import { fitMp3, mp3Length } from '../mp3/fit.ts';
import { bytesBefore, mp3Bitrate, mp3Layout } from '../mp3/layout.ts';
import { collect } from './buffer-source.ts';
import { framesOfAdts } from './mp4-builder.ts';
import { mono48Adts, soundOf, stereo22Adts, toneAdts, toneFrames } from './tone.ts';

/** An encoder as the suite sees it. */
interface EncoderUnderTest {
  make(wallLimitMs?: number): Mp3Encoder;
  /** Processes or busy threads that exist now because of this encoder. */
  busy(encoder: Mp3Encoder): Promise<number>;
}

/** The header fields of each frame of an mp3 stream; throws on invalid data. */
export function mp3Frames(
  bytes: Buffer,
): { bitrate: number; sampleRate: number; mono: boolean; length: number }[] {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
    if (a !== 0xff || b !== 0xfb) throw new Error(`no frame at ${at}`);
    const bitrate = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][c >> 4] ?? 0;
    const sampleRate = [44100, 48000, 32000][(c >> 2) & 3] ?? 0;
    const length = Math.floor((144_000 * bitrate) / sampleRate) + ((c >> 1) & 1);
    found.push({ bitrate, sampleRate, mono: d >> 6 === 3, length });
    at += length;
  }
  return found;
}

/** An endless tone that counts the consumed bytes. */
function endless(): { sound: AdtsSound; taken(): number; ended(): boolean } {
  let taken = 0;
  let ended = false;
  async function* frames() {
    try {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        taken += toneFrames.length;
        yield toneAdts;
      }
    } finally {
      ended = true;
    }
  }
  return { sound: soundOf(frames(), 1_000_000), taken: () => taken, ended: () => ended };
}

/** ADTS frames with valid headers and random content. */
function noise(frameCount: number): Buffer {
  const bytes = Buffer.concat(
    Array.from({ length: Math.ceil(frameCount / toneFrames.length) }, () => toneAdts),
  );
  let seed = 12345;
  for (let at = 0; at < bytes.length; ) {
    const length = adtsFrameLength(bytes, at);
    for (let n = at + 7; n < at + length; n++) {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      bytes[n] = seed >>> 24;
    }
    at += length;
  }
  return bytes;
}

/** The tests that every {@link Mp3Encoder} must pass. */
export function testMp3Encoder(name: string, underTest: EncoderUnderTest): void {
  const { signal } = new AbortController();
  const request = (sound: AdtsSound, abort: AbortSignal = signal) => ({ sound, fast: false, signal: abort });

  describe(`${name} as an Mp3Encoder`, () => {
    let encoder: Mp3Encoder;
    beforeAll(() => {
      encoder = underTest.make();
    });
    afterAll(async () => {
      await encoder.close();
      expect(await underTest.busy(encoder)).toBe(0);
    });
    const idle = async () => expect(await underTest.busy(encoder)).toBe(0);

    it.each([
      ['44.1 kHz stereo', toneAdts, 44100, 2, 44100, false],
      ['48 kHz mono', mono48Adts, 48000, 1, 48000, true],
    ] as const)(
      'returns exactly the expected frames: %s',
      async (_name, adts, sampleRate, channels, rate, mono) => {
        const sound = soundOf([adts], framesOfAdts(adts).length, { sampleRate, channels });
        const mp3 = await collect(encoder.encode(request(sound)));
        const frames = mp3Frames(mp3);
        expect(
          frames.every(
            (frame) =>
              frame.bitrate === mp3Bitrate / 1000 && frame.sampleRate === rate && frame.mono === mono,
          ),
        ).toBe(true);
        expect(frames).toHaveLength(mp3Layout(sound).frames);
        expect(mp3.length).toBe(bytesBefore(frames.length, rate));
        await idle();
      },
    );

    it('fades out the end when requested, and nothing before it', async () => {
      const sound = () => soundOf([toneAdts], toneFrames.length);
      const [plain, faded] = await Promise.all(
        [undefined, { startS: 0.5, lengthS: 0.2 }].map((fade) =>
          collect(encoder.encode({ ...request(sound()), fade })),
        ),
      );
      expect(faded?.length).toBe(plain?.length);
      const firstS = bytesBefore(10, 44_100);
      expect(faded?.subarray(0, firstS).equals(plain?.subarray(0, firstS) ?? Buffer.alloc(0))).toBe(true);
      const ending = (bytes: Buffer | undefined) => bytes?.subarray(-2000, -800).toString('hex');
      expect(ending(faded)).not.toBe(ending(plain));
    });

    it.each([
      ['22.05 kHz', 2, 22050],
      // Announced but absent SBR: decoders may double the rate or not, the length is the same.
      ['22.05 kHz that should become 44.1', 5, 44100],
    ] as const)(
      'returns 44.1 kHz of the announced length: %s',
      async (_name, objectType, outputSampleRate) => {
        const plain = soundOf([stereo22Adts], framesOfAdts(stereo22Adts).length, { sampleRate: 22050 });
        const sound = { ...plain, config: { ...plain.config, objectType, outputSampleRate } };
        const mp3 = await collect(fitMp3(encoder.encode(request(sound)), sound));
        expect(mp3.length).toBe(mp3Length(sound));
        expect(
          mp3Frames(mp3).every(
            ({ sampleRate, bitrate }) => sampleRate === 44100 && bitrate === mp3Bitrate / 1000,
          ),
        ).toBe(true);
      },
    );

    it('returns the first bytes while the sound is still arriving', async () => {
      const firstBytes = Promise.withResolvers<void>();
      async function* frames() {
        yield toneAdts;
        yield toneAdts;
        await firstBytes.promise;
        yield toneAdts;
      }
      let bytes = 0;
      for await (const chunk of encoder.encode(request(soundOf(frames(), 3 * toneFrames.length)))) {
        bytes += chunk.length;
        firstBytes.resolve();
      }
      expect(bytes).toBeGreaterThan(0);
    });

    it('encodes the same bytes again with the state it keeps between encodings', async () => {
      const once = () => collect(encoder.encode(request(soundOf([toneAdts], toneFrames.length))));
      expect((await once()).equals(await once())).toBe(true);
    });

    it('stops when it is aborted, with the reason', async () => {
      const abort = new AbortController();
      const reason = new Failure('conversion_cancelled', { note: 'by the test' });
      const { sound, ended } = endless();
      const reading = (async () => {
        for await (const _chunk of encoder.encode(request(sound, abort.signal))) abort.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      await idle();
      await expect.poll(ended).toBe(true);
    });

    it('does nothing when it is aborted before it begins', async () => {
      const reason = new Failure('conversion_cancelled');
      const { sound, taken } = endless();
      await expect(collect(encoder.encode(request(sound, AbortSignal.abort(reason))))).rejects.toBe(reason);
      expect(taken()).toBe(0);
      await idle();
    });

    it('stops when its reader leaves', async () => {
      const { sound, ended } = endless();
      for await (const _chunk of encoder.encode(request(sound))) break;
      await idle();
      await expect.poll(ended).toBe(true);
    });

    it('reads no further than its reader', async () => {
      const { sound, taken } = endless();
      const reader = encoder.encode(request(sound))[Symbol.asyncIterator]();
      await reader.next();
      // When two checks show no progress, the cause must be that the reader takes nothing.
      const looks: number[] = [-1];
      const settled = () => looks.push(taken()) && looks.at(-1) === looks.at(-2);
      await expect.poll(settled, { interval: 300, timeout: 10_000 }).toBe(true);
      expect(taken()).toBeLessThan(200 * toneFrames.length);
      await reader.return?.();
      await idle();
    });

    it('fails on nonsense instead of hanging or returning noise', async () => {
      for (const bytes of [noise(400), Buffer.alloc(50_000, 0x55)]) {
        const encoding = collect(encoder.encode(request(soundOf([bytes], 400))));
        await expect(encoding).rejects.toMatchObject({ name: 'Failure', key: 'conversion_failed' });
      }
      await idle();
    });

    it('survives a few broken frames', async () => {
      const good = Buffer.concat([toneAdts, toneAdts, toneAdts, toneAdts]);
      for (let at = toneAdts.length, n = 0; n < 3; n++) {
        const length = adtsFrameLength(good, at);
        good.fill(0xff, at + 7, at + length);
        at += length;
      }
      const sound = soundOf([good], 4 * toneFrames.length);
      expect(await collect(fitMp3(encoder.encode(request(sound)), sound))).toHaveLength(mp3Length(sound));
    });

    it('never returns an empty file', async () => {
      await expect(collect(encoder.encode(request(soundOf([], 0))))).rejects.toMatchObject({
        key: 'conversion_failed',
      });
      await expect(collect(encoder.encode(request(soundOf([], 100))))).rejects.toMatchObject({
        key: 'conversion_failed',
      });
      await idle();
    });

    it('passes on the error of the source', async () => {
      const lost = new Failure('media_unavailable', { note: 'connection reset' });
      async function* frames() {
        yield toneAdts;
        throw lost;
      }
      await expect(collect(encoder.encode(request(soundOf(frames(), 1000))))).rejects.toBe(lost);
      await idle();
    });

    it('gives up at the time limit, also when the source never answers', async () => {
      const impatient = underTest.make(150);
      async function* frames() {
        yield toneAdts;
        await new Promise(() => undefined);
      }
      const encoding = collect(impatient.encode(request(soundOf(frames(), 1000))));
      await expect(encoding).rejects.toMatchObject({ key: 'conversion_timeout' });
      expect(await underTest.busy(impatient)).toBe(0);
      await impatient.close();
    });

    it('allows more time for an hour of sound than for a moment', async () => {
      const patient = underTest.make();
      await patient.warm();
      let stopped = false;
      // Never responds, and records its cancellation.
      const silence = {
        next: () => new Promise<never>(() => undefined),
        return: async () => {
          stopped = true;
          return { done: true as const, value: undefined };
        },
      };
      const encoding = (seconds: number) => {
        stopped = false;
        const sound = soundOf([], Math.ceil((seconds * 44_100) / 1024));
        const frames = { [Symbol.asyncIterator]: () => silence };
        return expect(collect(patient.encode(request({ ...sound, frames })))).rejects.toMatchObject({
          key: 'conversion_timeout',
        });
      };
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const hour = encoding(3600);
        await vi.advanceTimersByTimeAsync(1_000_000);
        expect(stopped).toBe(false);
        await vi.advanceTimersByTimeAsync(100_000);
        expect(stopped).toBe(true);
        await hour;
        const moment = encoding(1);
        await vi.advanceTimersByTimeAsync(200_000);
        await moment;
      } finally {
        vi.useRealTimers();
      }
      await patient.close();
    });

    it('ends running encodings when it is closed', async () => {
      const closing = underTest.make();
      const { sound } = endless();
      const reading = (async () => {
        for await (const _chunk of closing.encode(request(sound))) void closing.close();
      })();
      await expect(reading).rejects.toMatchObject({ key: 'stopping' });
      await closing.close();
      expect(await underTest.busy(closing)).toBe(0);
    });
  });
}
