import { describe, expect, it } from 'vitest';
import type { AacConfig } from '../contracts.ts';
import { collect } from '../testing/buffer-source.ts';
import { testMp3Encoder } from '../testing/mp3-encoder-suite.ts';
import { soundOf, toneAdts, toneFrames } from '../testing/tone.ts';
import { selectEncoder } from './select-encoder.ts';
import { WasmEncoder } from './wasm-encoder.ts';

const { signal } = new AbortController();

testMp3Encoder('wasm', {
  make: (wallLimitMs) =>
    new WasmEncoder({ workers: 1, ...(wallLimitMs === undefined ? {} : { wallLimitMs }) }),
  busy: async (encoder) => (encoder as WasmEncoder).busyThreads,
});

describe('WasmEncoder', () => {
  it('keeps its threads between encodings and ends them when closed', async () => {
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

  it('leaves to others what it would do badly', () => {
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
