import { crc32 } from 'node:zlib';
import { makeZip, predictLength } from 'client-zip';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { archiveLength, dataDescriptor, directory, fileHeader, type WrittenFile } from './zip-format.ts';

const modified = new Date(Date.UTC(2024, 5, 17, 13, 37, 42));
/** Another writer puts the machine's own time zone into its archives. */
const inOwnZone = new Date(modified.getTime() + modified.getTimezoneOffset() * 60_000);

function pack(files: readonly { name: string; bytes: Uint8Array }[]): Buffer {
  const pieces: Uint8Array[] = [];
  const written: WrittenFile[] = [];
  let at = 0;
  for (const { name, bytes } of files) {
    const file = { name: Buffer.from(name), modified, size: bytes.length, checksum: crc32(bytes), start: at };
    const parts = [fileHeader(file.name, modified), bytes, dataDescriptor(file)];
    pieces.push(...parts);
    written.push(file);
    at += parts.reduce((sum, { length }) => sum + length, 0);
  }
  return Buffer.concat([...pieces, directory(written, at)]);
}

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => `${text.toWellFormed()}.mp4`);

it('writes the same archive as an established library, byte for byte', async () => {
  const files = fc.array(fc.record({ name, bytes: fc.uint8Array({ maxLength: 300 }) }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const entries = given.map((file) => ({ name: file.name, lastModified: inOwnZone, input: file.bytes }));
      const expected = await new Response(makeZip(entries, { buffersAreUTF8: true })).arrayBuffer();
      expect(pack(given).equals(Buffer.from(expected))).toBe(true);
    }),
  );
});

it('knows the length beforehand, also beyond 4 GB', () => {
  const size = fc.oneof(fc.nat(1_000_000), fc.nat(2 ** 32 - 2), fc.constant(2 ** 32 - 2));
  fc.assert(
    fc.property(fc.array(fc.record({ name, size }), { maxLength: 20 }), (given) => {
      const files = given.map((file) => ({ name: Buffer.from(file.name), size: file.size }));
      expect(BigInt(archiveLength(files))).toBe(predictLength(given));
    }),
  );
});
