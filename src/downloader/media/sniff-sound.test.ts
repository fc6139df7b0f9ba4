import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { readAdts } from './adts.ts';
import { writeId3 } from './id3.ts';
import { silentFrame } from './mp3/layout.ts';
import { sniffSound } from './sniff-sound.ts';
import { BufferSource, collect } from './testing/buffer-source.ts';
import { buildMp4 } from './testing/mp4-builder.ts';
import { mono48Adts, toneAdts, toneFrames } from './testing/tone.ts';

const { signal } = new AbortController();
const sniff = (bytes: Buffer) => sniffSound(new BufferSource(bytes), signal);
const mp3 = Buffer.concat([0, 1, 2].map((n) => silentFrame({ sampleRate: 44100, channels: 2 }, n)));
const tag = writeId3({ title: 'a', artist: 'b', sourceUrl: 'https://example.com/', durationMs: 1 });

describe('sniffSound', () => {
  it('recognises mp4, mp3 and raw AAC by their bytes', async () => {
    const bytes = buildMp4({ frames: toneFrames, pictureBytes: 0 });
    expect(await sniff(bytes)).toMatchObject({
      kind: 'mp4',
      movie: { sound: { samples: { count: toneFrames.length } } },
    });
    expect(await sniff(mp3)).toEqual({ kind: 'mp3', start: 0, size: mp3.length });
    expect(await sniff(toneAdts)).toEqual({ kind: 'adts', start: 0 });
  });

  it('looks behind a tag, however large its cover is', async () => {
    expect(await sniff(Buffer.concat([tag, mp3]))).toMatchObject({ kind: 'mp3', start: tag.length });
    const cover = { mime: 'image/jpeg' as const, bytes: Buffer.alloc(100_000) };
    const long = writeId3({
      title: 'a',
      artist: 'b',
      sourceUrl: 'https://example.com/',
      durationMs: 1,
      cover,
    });
    expect(await sniff(Buffer.concat([long, mp3]))).toMatchObject({ kind: 'mp3', start: long.length });
    expect(await sniff(Buffer.concat([tag, toneAdts]))).toMatchObject({ kind: 'adts', start: tag.length });
  });

  it('refuses everything else', async () => {
    for (const text of [
      '',
      '#EXTM3U\n',
      '<html>',
      '{"code":1}',
      'ID3',
      '\xff',
      'OggS\0\0\0\0',
      'RIFF....WAVE',
    ]) {
      await expect(sniff(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ key: 'media_invalid' });
    }
  });

  it('returns a kind or a Failure for any bytes', async () => {
    const begin = fc.constantFrom(
      Buffer.from('ID3\x03'),
      Buffer.from('\0\0\0\x10ftyp'),
      Buffer.from([0xff, 0xfb]),
      Buffer.alloc(0),
    );
    await fc.assert(
      fc.asyncProperty(begin, fc.uint8Array({ maxLength: 80 }), async (start, rest) => {
        await sniff(Buffer.concat([start, rest])).catch((error: unknown) =>
          expect(error).toBeInstanceOf(Failure),
        );
      }),
    );
  });
});

describe('readAdts', () => {
  it('returns all frames and their properties', async () => {
    const sound = await readAdts(new BufferSource(Buffer.concat([tag, mono48Adts])), tag.length, signal);
    expect(sound).toMatchObject({ config: { sampleRate: 48000, channels: 1 }, bytes: mono48Adts.length });
    expect(sound.durationS).toBeCloseTo((sound.frameCount * 1024) / 48000, 6);
    expect((await collect(sound.frames)).equals(mono48Adts)).toBe(true);
  });

  it('leaves out a truncated last frame, and refuses data without a frame', async () => {
    const sound = await readAdts(new BufferSource(toneAdts.subarray(0, -5)), 0, signal);
    expect(sound.frameCount).toBe(toneFrames.length - 1);
    await expect(readAdts(new BufferSource(Buffer.alloc(50)), 0, signal)).rejects.toMatchObject({
      key: 'media_invalid',
    });
  });
});
