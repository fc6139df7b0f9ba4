import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { selectEncoder } from '../../../conversions/sound/make-sound.ts';
import type { AacConfig } from '../../contracts.ts';
import { readMovie } from '../../mp4/read-movie.ts';
import { readSound } from '../../read-sound.ts';
import { planSound } from '../../sound-plan.ts';
import { BufferSource, collect } from '../../testing/buffer-source.ts';
import { testMp3Encoder } from '../../testing/mp3-encoder-suite.ts';
import { buildMp4, framesOfAdts } from '../../testing/mp4-builder.ts';
import { beep8Adts, mono48Adts, soundOf, stereo22Adts, toneAdts, toneFrames } from '../../testing/tone.ts';
import { FfmpegEncoder } from '../ffmpeg-encoder.ts';
import { findFfmpeg } from '../find-ffmpeg.ts';
import { fitMp3 } from '../fit.ts';
import { WasmEncoder } from './wasm-encoder.ts';

const { signal } = new AbortController();
const ffmpeg = await findFfmpeg(undefined, process.env.PATH ?? '', signal);

/** The first loud sample of a sound at 44.1 kHz. */
function begins(sound: Uint8Array, format: 'aac' | 'mp3'): number {
  const out = ['-f', 's16le', '-ac', '1', '-ar', '44100', 'pipe:1'];
  const { stdout } = spawnSync(ffmpeg?.ffmpegPath ?? '', ['-f', format, '-i', 'pipe:0', ...out], {
    input: sound,
    maxBuffer: 1 << 24,
  });
  for (let at = 0; at + 1 < stdout.length; at += 2)
    if (Math.abs(stdout.readInt16LE(at)) > 1500) return at / 2;
  return Number.NaN;
}

testMp3Encoder('wasm', {
  make: (wallLimitMs) =>
    new WasmEncoder({ workers: 1, ...(wallLimitMs === undefined ? {} : { wallLimitMs }) }),
  busy: async (encoder) => (encoder as WasmEncoder).busyThreads,
});

describe('WasmEncoder', () => {
  it('keeps its threads between encodings and ends them when it is closed', async () => {
    const encoder = new WasmEncoder({ workers: 2 });
    await encoder.warm();
    const sounds = [1, 2, 3].map(() => soundOf([toneAdts], toneFrames.length));
    const files = await Promise.all(
      sounds.map((sound) => collect(encoder.encode({ sound, fast: false, signal }))),
    );
    expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(1);
    expect(encoder.threads).toBe(2);
    await encoder.close();
    expect(encoder.threads).toBe(0);
    const late = encoder.encode({ sound: soundOf([toneAdts], toneFrames.length), fast: false, signal });
    await expect(collect(late)).rejects.toMatchObject({ key: 'stopping' });
  });

  it('survives being closed while its codecs load', async () => {
    const encoder = new WasmEncoder({ workers: 1 });
    const warm = encoder.warm();
    await encoder.close();
    await expect(warm).resolves.toBeUndefined();
  });

  it('leaves to other encoders what it would do badly', () => {
    const encoder = new WasmEncoder({ workers: 1 });
    const lc: AacConfig = { objectType: 2, sampleRate: 44100, outputSampleRate: 44100, channels: 2 };
    const he: AacConfig = { objectType: 5, sampleRate: 22050, outputSampleRate: 44100, channels: 2 };
    expect([lc, { ...lc, channels: 1 }, he].map((config) => encoder.canEncode(config))).toEqual([
      true,
      true,
      true,
    ]);
    const refused: AacConfig[] = [
      { ...he, objectType: 29, channels: 1 },
      { ...he, channels: 1 },
      { ...lc, sampleRate: 24000, outputSampleRate: 24000, channels: 1 },
      { ...lc, channels: 6 },
    ];
    for (const config of refused) {
      expect(encoder.canEncode(config)).toBe(false);
      expect(() => selectEncoder([encoder], config)).toThrow(
        expect.objectContaining({ key: 'conversion_failed' }),
      );
    }
    expect(selectEncoder([encoder], lc)).toBe(encoder);
  });
});

describe.runIf(ffmpeg)('a sound through WebAssembly', () => {
  it.each([
    ['22.05 kHz', stereo22Adts, 22_050, 2],
    ['44.1 kHz', toneAdts, 44_100, 2],
    ['48 kHz', mono48Adts, 48_000, 1],
  ] as const)('starts at the beginning of %s', async (_, adts, sampleRate, channels) => {
    const encoder = new WasmEncoder({ workers: 1 });
    const sound = soundOf([adts], framesOfAdts(adts).length, { sampleRate, channels });
    const mp3 = await collect(encoder.encode({ sound, fast: false, signal }));
    await encoder.close();
    // LAME adds 576 samples, and every decoder adds 529.
    const delay = (1105 * 44_100) / Math.max(sampleRate, 44_100);
    expect(Math.abs(begins(mp3, 'mp3') - begins(adts, 'aac') - delay)).toBeLessThan(60);
  });
});

describe.runIf(ffmpeg)('a sound of a low rate', () => {
  const encoders = {
    ffmpeg: () => new FfmpegEncoder({ ffmpegPath: ffmpeg?.ffmpegPath ?? '', prlimitPath: null }),
    WebAssembly: () => new WasmEncoder({ workers: 1 }),
  };
  it.each([
    ['ffmpeg', 1024],
    ['ffmpeg', 1024 + 1500],
    ['WebAssembly', 1024],
    ['WebAssembly', 1024 + 1500],
  ] as const)('begins through %s where it should when %i samples are left out', async (name, skipSamples) => {
    const encoder = encoders[name]();
    const frames = framesOfAdts(beep8Adts).length;
    const durationS = 0.7;
    const sound = { ...soundOf([beep8Adts], frames, { sampleRate: 8000 }), skipSamples, durationS };
    const mp3 = await collect(fitMp3(encoder.encode({ sound, fast: false, signal }), sound));
    await encoder.close();
    // ffmpeg heeds the delay that the first frame states.
    const expectedS = 0.6 - (skipSamples - 1024) / 8000;
    expect(Math.abs(begins(mp3, 'mp3') / 44_100 - expectedS)).toBeLessThan(0.006);
  });

  it.each(['ffmpeg', 'WebAssembly'] as const)(
    'keeps its time through %s when it begins later than its movie',
    async (name) => {
      const frames = framesOfAdts(beep8Adts);
      const edit = { mediaTime: 1024, durationS: 0.7, waitS: 0.8 };
      const specificConfig = Buffer.from([0x15, 0x90]);
      const source = new BufferSource(buildMp4({ frames, sampleRate: 8000, specificConfig, edit }));
      const movie = await readMovie(source, signal);
      const sound = readSound(source, movie, planSound(movie), { signal });
      const encoder = encoders[name]();
      const mp3 = await collect(fitMp3(encoder.encode({ sound, fast: false, signal }), sound));
      await encoder.close();
      expect(Math.abs(begins(mp3, 'mp3') / 44_100 - 1.4)).toBeLessThan(0.006);
    },
  );
});
