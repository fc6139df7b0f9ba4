/*
 * The parts of an archive of stored files, in order (PKWARE's APPNOTE 6.3.10). Each file's size and checksum follow it
 * (4.3.9), so that nothing of it must be known in advance. Archives of 4 GB and more use ZIP64 fields (4.5.3); no
 * single file of a post is as large.
 */

/** A file that has been written into the archive. */
export interface WrittenFile {
  readonly name: Buffer;
  readonly modified: Date;
  /** Less than 4 GB. */
  readonly size: number;
  /** CRC-32. */
  readonly checksum: number;
  /** Offset of its header. */
  readonly start: number;
}

const largest32 = 0xffffffff;
/** 4.5: with ZIP64. */
const version = 45;
/** Sizes follow the file (bit 3), names are UTF-8 (bit 11). */
const flags = 0x0808;
/** Unix: a regular file, writable by its owner and group and readable by all. */
const unix = 3;
const ordinaryFile = 0o100664;

const headerBytes = 30;
const directoryBytes = 46;
const descriptorBytes = 16;
const endBytes = 22;
const end64Bytes = 56 + 20;

const isLarge = (value: number) => value >= largest32;

/** Date and time of MS-DOS, in UTC: the format has no time zone (4.4.6). */
function dosTime(date: Date): number {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107) - 1980;
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

/** The header before a file's bytes. */
export function fileHeader(name: Buffer, modified: Date): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(dosTime(modified), 10);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** The descriptor after them. */
export function dataDescriptor({ size, checksum }: Pick<WrittenFile, 'size' | 'checksum'>): Buffer {
  const descriptor = Buffer.alloc(descriptorBytes);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(checksum, 4);
  for (const at of [8, 12]) descriptor.writeUInt32LE(size, at);
  return descriptor;
}

function directoryEntry({ name, modified, size, checksum, start }: WrittenFile): Buffer {
  const entry = Buffer.alloc(directoryBytes);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE((unix << 8) | version, 4);
  entry.writeUInt16LE(version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt32LE(dosTime(modified), 12);
  entry.writeUInt32LE(checksum, 16);
  for (const at of [20, 24]) entry.writeUInt32LE(size, at);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extraBytes(start), 30);
  entry.writeUInt32LE((ordinaryFile << 16) >>> 0, 38);
  entry.writeUInt32LE(Math.min(start, largest32), 42);
  return Buffer.concat([entry, name, extraField(start)]);
}

const extraBytes = (start: number) => (isLarge(start) ? 12 : 0);

/** A file's offset, with 64 bits. */
function extraField(start: number): Buffer {
  const field = Buffer.alloc(extraBytes(start));
  if (field.length === 0) return field;
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(start), 4);
  return field;
}

/** The end of an archive: its list of files (4.3.12), and where that begins. @param start of the list */
export function directory(files: readonly WrittenFile[], start: number): Buffer {
  const entries = Buffer.concat(files.map(directoryEntry));
  const is64 = isLarge(start);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Math.min(entries.length, largest32), 12);
  end.writeUInt32LE(is64 ? largest32 : start, 16);
  return Buffer.concat([entries, is64 ? end64(files.length, entries.length, start) : Buffer.alloc(0), end]);
}

/** The 64-bit end record (4.3.14) and its locator (4.3.15). */
function end64(count: number, bytes: number, start: number): Buffer {
  const end = Buffer.alloc(end64Bytes);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE((unix << 8) | version, 12);
  end.writeUInt16LE(version, 14);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(count), at);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

/** Exact size of an archive of these files. */
export function archiveLength(files: readonly { readonly name: Buffer; readonly size: number }[]): number {
  let start = 0;
  let listed = 0;
  for (const { name, size } of files) {
    listed += directoryBytes + name.length + extraBytes(start);
    start += headerBytes + name.length + size + descriptorBytes;
  }
  return start + listed + (isLarge(start) ? end64Bytes : 0) + endBytes;
}
