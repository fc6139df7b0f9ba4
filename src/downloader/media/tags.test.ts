import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { id3v2Length } from './sniff-sound.ts';
import { tagText, writeId3 } from './tags.ts';

const sourceUrl = 'https://www.tiktok.com/@someone/video/7412345678901234567';

/** Reads a tag by the standard alone, independently of the writer. */
function parse(tag: Buffer): Map<string, Buffer> {
  expect(tag.toString('latin1', 0, 5)).toBe('ID3\x03\x00');
  expect(tag[5]).toBe(0);
  const [a = 0, b = 0, c = 0, d = 0] = tag.subarray(6, 10);
  expect(Math.max(a, b, c, d)).toBeLessThan(128);
  expect(10 + ((a * 128 + b) * 128 + c) * 128 + d).toBe(tag.length);
  const frames = new Map<string, Buffer>();
  for (let at = 10; at < tag.length; ) {
    const id = tag.toString('latin1', at, at + 4);
    const size = tag.readUInt32BE(at + 4);
    expect(id).toMatch(/^[A-Z][A-Z0-9]{3}$/);
    expect(tag.readUInt16BE(at + 8)).toBe(0);
    expect(size).toBeGreaterThan(0);
    frames.set(id, tag.subarray(at + 10, at + 10 + size));
    at += 10 + size;
    expect(at).toBeLessThanOrEqual(tag.length);
  }
  return frames;
}

function text(frame: Buffer | undefined): string {
  if (frame?.[0] === 0) return frame.toString('latin1', 1);
  expect(frame?.subarray(0, 3)).toEqual(Buffer.from([1, 0xff, 0xfe]));
  return frame?.toString('utf16le', 3) ?? '';
}

describe('writeId3', () => {
  it('writes title, artist, length, source and cover', () => {
    const cover = { mime: 'image/png' as const, bytes: Buffer.from('not really a picture') };
    const frames = parse(
      writeId3({ title: 'Grüße', artist: '你好 🎉', sourceUrl, cover, durationMs: 60_000.4 }),
    );
    expect(frames.get('TIT2')?.[0]).toBe(0);
    expect(text(frames.get('TIT2'))).toBe('Grüße');
    expect(text(frames.get('TPE1'))).toBe('你好 🎉');
    expect(text(frames.get('TLEN'))).toBe('60000');
    expect(frames.get('WOAS')?.toString('latin1')).toBe(sourceUrl);
    expect(frames.get('COMM')?.toString('latin1')).toBe(`\0eng\0${sourceUrl}`);
    expect(frames.get('APIC')?.toString('latin1')).toBe('\0image/png\0\x03\0not really a picture');
  });

  it('leaves out empty fields', () => {
    const frames = parse(writeId3({ title: '', artist: ' \n', sourceUrl, durationMs: 1 }));
    expect([...frames.keys()]).toEqual(['TLEN', 'COMM', 'WOAS']);
  });

  it('is well-formed for any text and cover, and states its own length', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 600 });
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.uint8Array({ minLength: 1, maxLength: 20_000 }),
        (title, artist, bytes) => {
          const tag = writeId3({
            title,
            artist,
            sourceUrl,
            cover: { mime: 'image/jpeg', bytes },
            durationMs: 5,
          });
          const frames = parse(tag);
          expect(id3v2Length(tag)).toBe(tag.length);
          if (tagText(title) !== '') expect(text(frames.get('TIT2'))).toBe(tagText(title));
          expect(frames.get('APIC')?.subarray(14)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });
});

describe('tagText', () => {
  it('returns one line of a length that players show', () => {
    expect(tagText(' a\r\nb\u2028c\0d\t ')).toBe('a b c d');
    expect([...tagText('🎉'.repeat(1000))]).toHaveLength(300);
    expect(tagText('\ud83c').isWellFormed()).toBe(true);
  });
});
