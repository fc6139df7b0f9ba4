/** One file of an archive. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Reads an archive of stored (not compressed) files by its central directory (APPNOTE 4.3.12), in that order.
 * @throws when a file is compressed
 */
export function readZip(archive: Buffer): ZippedFile[] {
  const end = archive.lastIndexOf('PK\x05\x06');
  const count = archive.readUInt16LE(end + 10);
  const files: ZippedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let n = 0; n < count; n++) {
    if (archive.readUInt16LE(at + 10) !== 0) throw new Error('compressed');
    const size = archive.readUInt32LE(at + 24);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files.push({
      name: archive.toString('utf8', at + 46, at + 46 + nameLength),
      bytes: archive.subarray(start, start + size),
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}
