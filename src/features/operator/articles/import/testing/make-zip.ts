import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive, as any program might have written it. */
export interface MadeEntry {
  readonly name: string;
  readonly bytes?: Uint8Array | string;
  /** Type and permissions of the file, as Unix writes them. */
  readonly mode?: number;
  /** The length that the archive states, if it is not true. */
  readonly saidBytes?: number;
  readonly isEncrypted?: boolean;
  /** Begins where this entry begins, instead of having bytes of its own. */
  readonly sharesWith?: string;
}

/** An archive (APPNOTE 4.3), which may be wrong in every way that an entry states. */
export function makeZip(entries: readonly MadeEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  const places = new Map<string, number>();
  let at = 0;
  for (const { name, bytes = '', mode = 0o100644, saidBytes, isEncrypted = false, sharesWith } of entries) {
    const plain = Buffer.from(bytes as Uint8Array);
    const packed = deflateRawSync(plain);
    const named = Buffer.from(name);
    // Version, flags (11: the name is UTF-8), deflated, time, date, checksum, lengths.
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2);
    head.writeUInt16LE(8, 4);
    head.writeUInt16LE(0x21, 8);
    head.writeUInt32LE(crc32(plain), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(saidBytes ?? plain.length, 18);
    head.writeUInt16LE(named.length, 22);
    const place = places.get(sharesWith ?? '') ?? at;
    places.set(name, place);
    if (sharesWith === undefined) {
      const file = Buffer.concat([Buffer.from('PK\x03\x04'), head, named, packed]);
      files.push(file);
      at += file.length;
    }
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(place, 10);
    // Made by Unix.
    const madeBy = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, head, rest, named]));
  }
  const entriesBytes = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(entriesBytes.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, entriesBytes, Buffer.from('PK\x05\x06'), end]);
}
