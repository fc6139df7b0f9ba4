import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { readAdts } from './adts.ts';
import { silentFrame } from './mp3/layout.ts';
import { sniffSound } from './sniff-sound.ts';
import { writeId3 } from './tags.ts';
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

  const ape = Buffer.concat([Buffer.from('APETAGEX'), Buffer.alloc(24 + 200)]);
  ape.writeUInt32LE(200, 12);
  const junk = Buffer.from('\xff\xfb\x90junk\xff\xf1\xff\xff', 'latin1');
  const zeroes = (count: number) => Buffer.alloc(count);

  it.each<[string, Buffer[]]>([
    ['two tags', [tag, tag]],
    ['zeroes', [zeroes(600)]],
    ['a tag and zeroes', [tag, zeroes(1000)]],
    ['a tag of APE', [ape]],
    ['tags of both kinds with zeroes between them', [tag, zeroes(10), ape, tag]],
    ['what looks like frames and is none', [junk, tag.subarray(0, 40), junk]],
    ['as much as is searched', [tag, zeroes(60_000), junk]],
    ['tags up to the end of the first read', [tag, tag, zeroes(65_000), tag]],
  ])('finds the first frame behind %s', async (_, before) => {
    const start = Buffer.concat(before).length;
    expect(await sniff(Buffer.concat([...before, mp3]))).toMatchObject({ kind: 'mp3', start });
    expect(await sniff(Buffer.concat([...before, toneAdts]))).toEqual({ kind: 'adts', start });
  });

  it('finds frames of every version and rate, and a file that is one frame', async () => {
    const frame = (header: string, length: number) => {
      const bytes = Buffer.alloc(length);
      bytes.write(header, 'hex');
      return bytes;
    };
    for (const one of [
      frame('fffb9064', 417),
      frame('fffb9264', 418),
      frame('fff38064', 208),
      frame('ffe38864', 576),
      frame('fffa9464', 384),
    ])
      expect(await sniff(Buffer.concat([zeroes(9), one, one]))).toMatchObject({ kind: 'mp3', start: 9 });
    expect(await sniff(frame('fffb9064', 417))).toMatchObject({ kind: 'mp3', start: 0 });
  });

  it('reads a bounded part of a file that is no sound, in a few requests', async () => {
    for (const bytes of [
      Buffer.alloc(9_000_000),
      Buffer.concat(Array.from({ length: 20_000 }, () => tag)),
      Buffer.alloc(1_000_000, 0xff),
    ]) {
      const source = new BufferSource(bytes);
      await expect(sniffSound(source, signal)).rejects.toMatchObject({ key: 'media_invalid' });
      expect(source.reads.length).toBeLessThan(4);
    }
  });

  it('refuses everything else, and says which is a sound of another format', async () => {
    for (const text of ['', '#EXTM3U\n', '<html>', '{"code":1}', 'ID3', '\xff', '\xff\xfb\x90\x64'])
      await expect(sniff(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ key: 'media_invalid' });
    for (const text of ['OggS\0\0\0\0', 'RIFF....WAVE', 'fLaC\0'])
      await expect(sniff(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ key: 'sound_unsupported' });
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
