import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import { collect } from './testing/buffer-source.ts';
import { type ZipEntry, zipFiles, zipLength } from './zip.ts';

const modified = new Date('2026-01-02T03:04:06');

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

/** Reads a zip by its central directory, independently of the writer. */
function parse(zip: Buffer): { name: string; content: string }[] {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  const files = [];
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50);
    expect(zip.readUInt16LE(at + 10)).toBe(0); // stored
    const size = zip.readUInt32LE(at + 24);
    const nameLength = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    expect(zip.readUInt32LE(local)).toBe(0x04034b50);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    expect(zip.readUInt32LE(at + 16)).toBe(crc32(content));
    files.push({ name, content: content.toString() });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

describe('zipFiles', () => {
  it('packs files in their order, at the announced length', async () => {
    const entries: ZipEntry[] = [
      { name: 'someone-1-02.jpg', modified, size: 6, stream: chunks('abc', 'def') },
      { name: 'someone-1-01.jpg', modified, size: 3, stream: chunks('ghi') },
      { name: '你好.jpg', modified, size: 1, stream: chunks('j') },
    ];
    const zip = await collect(zipFiles(entries));
    expect(zip.length).toBe(zipLength(entries));
    expect(parse(zip)).toEqual([
      { name: 'someone-1-02.jpg', content: 'abcdef' },
      { name: 'someone-1-01.jpg', content: 'ghi' },
      { name: '你好.jpg', content: 'j' },
    ]);
  });

  it('works without sizes, and then announces no length', async () => {
    const entries = [{ name: 'a', modified, size: null, stream: chunks('abc') }];
    expect(zipLength(entries)).toBeNull();
    expect(parse(await collect(zipFiles(entries)))).toEqual([{ name: 'a', content: 'abc' }]);
  });

  it('opens each file when its turn comes, and ends the open one when the reader leaves', async () => {
    const log: string[] = [];
    async function* noted(name: string): AsyncGenerator<Uint8Array> {
      log.push(`open ${name}`);
      try {
        for (;;) yield Buffer.alloc(10);
      } finally {
        log.push(`end ${name}`);
      }
    }
    const entries = ['a', 'b'].map((name) => ({ name, modified, size: null, stream: noted(name) }));
    let seen = 0;
    async function* list() {
      try {
        yield* entries;
      } finally {
        log.push('end list');
      }
    }
    for await (const chunk of zipFiles(list())) {
      seen += chunk.length;
      if (seen > 100) break;
    }
    expect(log.sort()).toEqual(['end a', 'end list', 'open a']);
  });

  it.each([
    ['short', 'ab'],
    ['long', 'abcd'],
    ['empty', ''],
  ])('fails when a file is not as long as announced: %s', async (_name, content) => {
    const entries = [{ name: 'a', modified, size: 3, stream: chunks(content) }];
    await expect(collect(zipFiles(entries))).rejects.toMatchObject({ key: 'media_unavailable' });
  });

  it('throws the error of a file', async () => {
    const lost = new Failure('platform_timeout');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw lost;
    }
    const entries = [{ name: 'a', modified, size: null, stream: failing() }];
    await expect(collect(zipFiles(entries))).rejects.toBe(lost);
  });
});
