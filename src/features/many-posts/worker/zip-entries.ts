import { UnreadableExport } from './sections.ts';

/** A file of an archive, and its bytes. */
export interface ZippedEntry {
  readonly name: string;
  /** The bytes, unpacked as they are read. */
  open(): ReadableStream<Uint8Array>;
}

const endBytes = 22;
const mostCommentBytes = 65_535;
/** Bound of the directory: a thousand files take a tenth of it. */
const mostDirectoryBytes = 8 * 2 ** 20;
const signs = { end: 0x06054b50, entry: 0x02014b50, file: 0x04034b50 } as const;

async function view(archive: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await archive.slice(from, to).arrayBuffer());
}

/**
 * The files of an archive, by its directory (APPNOTE 4.3.12 and 4.3.16): what is not opened is not read. Archives of
 * more than 4 GB and encrypted files are not supported.
 * @throws UnreadableExport `broken`, `too_large`
 */
export async function zipEntries(archive: Blob): Promise<ZippedEntry[]> {
  try {
    return await listed(archive);
  } catch (thrown) {
    // The directory names a place outside of the file.
    if (thrown instanceof RangeError) throw new UnreadableExport('broken', thrown);
    throw thrown;
  }
}

async function listed(archive: Blob): Promise<ZippedEntry[]> {
  const tailAt = Math.max(0, archive.size - endBytes - mostCommentBytes);
  const tail = await view(archive, tailAt, archive.size);
  let end = tail.byteLength - endBytes;
  while (end >= 0 && tail.getUint32(end, true) !== signs.end) end -= 1;
  if (end < 0) throw new UnreadableExport('broken');
  const [bytes, from] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (bytes > mostDirectoryBytes) throw new UnreadableExport('too_large');
  const directory = await view(archive, from, from + bytes);
  const entries: ZippedEntry[] = [];
  for (let at = 0; at + 46 <= directory.byteLength; ) {
    if (directory.getUint32(at, true) !== signs.entry) throw new UnreadableExport('broken');
    const short = (offset: number) => directory.getUint16(at + offset, true);
    const nameEnd = at + 46 + short(28);
    const name = new TextDecoder().decode(directory.buffer.slice(at + 46, nameEnd));
    const [flags, method] = [short(8), short(10)];
    const [size, local] = [directory.getUint32(at + 20, true), directory.getUint32(at + 42, true)];
    if ((flags & 1) === 0 && (method === 0 || method === 8))
      entries.push({ name, open: () => unpacked(archive, local, size, method === 8) });
    at = nameEnd + short(30) + short(32);
  }
  return entries;
}

function unpacked(archive: Blob, at: number, size: number, isPacked: boolean): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const pump = async () => {
    const head = await view(archive, at, at + 30);
    if (head.getUint32(0, true) !== signs.file) throw new UnreadableExport('broken');
    const from = at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
    const stored = archive.slice(from, from + size).stream();
    await (isPacked ? stored.pipeThrough(new DecompressionStream('deflate-raw')) : stored).pipeTo(writable);
  };
  // The reader gets the error; one that has had enough has closed the stream already.
  pump().catch((thrown: unknown) => writable.abort(thrown).catch(() => {}));
  return readable;
}
