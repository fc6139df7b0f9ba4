import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../failures/failures.ts';
import { audioSpecificConfigOf, parseAudioSpecificConfig } from './audio-config.ts';

const parse = (hex: string) => parseAudioSpecificConfig(Buffer.from(hex, 'hex'));

/** Bits as text to bytes, filled with zeros. */
function bits(...fields: readonly [value: number, width: number][]): Buffer {
  const text = fields.map(([value, width]) => value.toString(2).padStart(width, '0')).join('');
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8, '0');
  return Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

describe('parseAudioSpecificConfig', () => {
  it('reads LC', () => {
    expect(parse('1210')).toEqual({ objectType: 2, sampleRate: 44100, outputSampleRate: 44100, channels: 2 });
    expect(parse('1188')).toEqual({ objectType: 2, sampleRate: 48000, outputSampleRate: 48000, channels: 1 });
  });

  it('reads HE-AAC that is signalled first', () => {
    // SBR at 44.1 kHz over a stereo core of 22.05 kHz, and parametric stereo over a mono one.
    const he = bits([5, 5], [7, 4], [2, 4], [4, 4], [2, 5], [0, 3]);
    expect(parseAudioSpecificConfig(he)).toEqual({
      objectType: 5,
      sampleRate: 22050,
      outputSampleRate: 44100,
      channels: 2,
    });
    const v2 = bits([29, 5], [7, 4], [1, 4], [4, 4], [2, 5], [0, 3]);
    expect(parseAudioSpecificConfig(v2)).toEqual({
      objectType: 29,
      sampleRate: 22050,
      outputSampleRate: 44100,
      channels: 1,
    });
  });

  it('reads HE-AAC that is signalled behind an LC part', () => {
    const he = bits([2, 5], [6, 4], [2, 4], [0, 3], [0x2b7, 11], [5, 5], [1, 1], [3, 4]);
    expect(parseAudioSpecificConfig(he)).toEqual({
      objectType: 5,
      sampleRate: 24000,
      outputSampleRate: 48000,
      channels: 2,
    });
    const v2 = bits([2, 5], [7, 4], [1, 4], [0, 3], [0x2b7, 11], [5, 5], [1, 1], [4, 4], [0x548, 11], [1, 1]);
    expect(parseAudioSpecificConfig(v2)).toEqual({
      objectType: 29,
      sampleRate: 22050,
      outputSampleRate: 44100,
      channels: 1,
    });
    // Plain LC as ffmpeg writes it: the extension is present and signals no SBR.
    expect(parse('121056e500')).toMatchObject({ objectType: 2, outputSampleRate: 44100 });
  });

  it('refuses configurations that ADTS frames cannot carry', () => {
    const refused = [
      bits([42, 5]), // cut off and nonsense
      bits([1, 5], [4, 4], [2, 4], [0, 3]), // Main
      bits([2, 5], [4, 4], [2, 4], [1, 1], [0, 2]), // 960 samples
      bits([2, 5], [4, 4], [0, 4], [0, 3]), // channels described elsewhere
      bits([2, 5], [13, 4], [2, 4], [0, 3]), // reserved rate
      bits([5, 5], [7, 4], [2, 4], [11, 4], [2, 5], [0, 3]), // a rate that SBR cannot make
    ];
    for (const bytes of refused) expect(() => parseAudioSpecificConfig(bytes)).toThrow(Failure);
  });

  it('returns a configuration or a Failure for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 60 }), (config, esds) => {
        for (const read of [
          () => parseAudioSpecificConfig(config),
          () => audioSpecificConfigOf(Buffer.from(esds)),
        ]) {
          try {
            read();
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('audioSpecificConfigOf', () => {
  it('reads descriptors with long lengths and optional fields', () => {
    const long = (tag: number, ...contents: number[]) => [
      tag,
      0x80,
      0x80,
      0x80,
      contents.length,
      ...contents,
    ];
    const decoder = long(4, 0x40, 0x15, ...Array<number>(11).fill(0), ...long(5, 0x12, 0x10));
    const es = long(3, 0, 2, 0x40, 1, 0x61, ...decoder, 6, 1, 2);
    expect([...audioSpecificConfigOf(Buffer.from([0, 0, 0, 0, ...es]))]).toEqual([0x12, 0x10]);
  });

  it('refuses a configuration of absurd length', () => {
    const config = [5, 100, ...Array<number>(100).fill(0x12)];
    const decoder = [4, 13 + config.length, 0x40, 0x15, ...Array<number>(11).fill(0), ...config];
    const es = [3, 3 + decoder.length, 0, 2, 0, ...decoder];
    expect(() => audioSpecificConfigOf(Buffer.from([0, 0, 0, 0, ...es]))).toThrow(Failure);
  });
});
