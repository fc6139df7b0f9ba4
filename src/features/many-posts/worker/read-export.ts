import { partsOf } from '../../../site/browser/downloads/parts-of.ts';
import { platformLink } from '../../../site/configuration/platforms.ts';
import { readDate } from './dates.ts';
import { JsonReader } from './read-json.ts';
import { Sections, UnreadableExport } from './sections.ts';

/** A file of an archive, and its bytes. */
interface ZippedEntry {
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
async function zipEntries(archive: Blob): Promise<ZippedEntry[]> {
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

/** An export has no videos: some tens of megabytes with years of watching. */
const maxArchiveBytes = 400e6;
/** Bound of all texts together, unpacked. */
const maxTextBytes = 96 * 2 ** 20;

const readable = /\.(?:json|txt|csv|html?)$/i;
const isHidden = (name: string) => /(?:^|\/)[._]/.test(name);

/**
 * Reads what a visitor gave: exports as JSON, text or an archive, bookmarks, or links.
 * @returns the posts that it names
 * @throws UnreadableExport
 */
export async function readExport(given: readonly (Blob | string)[]): Promise<Sections> {
  const sections = new Sections();
  const budget = { left: maxTextBytes };
  for (const one of given) {
    await readFile(typeof one === 'string' ? new Blob([one]) : one, sections, budget);
  }
  if (sections.summaries().length === 0) throw new UnreadableExport('no_posts');
  return sections;
}

interface Budget {
  left: number;
}

async function readFile(file: Blob, sections: Sections, budget: Budget): Promise<void> {
  const isArchive = (await file.slice(0, 4).text()) === 'PK\u0003\u0004';
  if (file.size > (isArchive ? maxArchiveBytes : maxTextBytes)) throw new UnreadableExport('too_large');
  const title = file instanceof File ? titleOf(file.name) : '';
  if (!isArchive) return readContent(file.stream(), title, sections, budget);
  for (const { name, open } of await zipEntries(file)) {
    if (readable.test(name) && !isHidden(name)) await readContent(open(), titleOf(name), sections, budget);
  }
}

/** The path of a list that has a file of its own; empty where the file's name says nothing of it. */
function titleOf(name: string): string {
  const title = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  return /^user_data|^[\w-]*\d[\w-]*$|^(?:links?|urls?|bookmarks?|export)$/i.test(title) ? '' : `\n${title}`;
}

/** @throws UnreadableExport `too_large` when the budget is spent, `broken` for what cannot be unpacked or is no JSON */
async function readContent(
  stream: ReadableStream<Uint8Array>,
  title: string,
  sections: Sections,
  budget: Budget,
): Promise<void> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let json: JsonReader | null = null;
  try {
    for await (const bytes of partsOf(stream)) {
      budget.left -= bytes.length;
      if (budget.left < 0) throw new UnreadableExport('too_large');
      if (json === null && pieces.length === 0 && isJson(bytes)) json = new JsonReader(sections);
      if (json === null) pieces.push(decoder.decode(bytes, { stream: true }));
      else json.push(bytes);
    }
  } catch (thrown) {
    throw thrown instanceof UnreadableExport ? thrown : new UnreadableExport('broken', thrown);
  }
  if (json === null) readText(pieces.join('') + decoder.decode(), title, sections);
  else json.end();
}

/** By its first letters, after a mark of its byte order. */
const isJson = (bytes: Uint8Array) => /^\uFEFF?\s*[[{]/.test(startOf(bytes));
const startOf = (bytes: Uint8Array) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 1024));

const between = /[\s"'<>,;|]+/;
const isLink = (word: string) =>
  /^https?:\/\//i.test(word) || (word.includes('.') && platformLink.test(word));

/**
 * Reads the posts of a text: the export's text form (`Date: …`, `Link: …`), CSV, a browser's bookmarks, or links alone.
 * A link's date stands in its line, or in one of its own before it.
 */
function readText(text: string, path: string, sections: Sections): void {
  const section = sections.sectionOf(path);
  const encoder = new TextEncoder();
  let date: number | null = null;
  // A page's bookmarks may be one line.
  for (const piece of text.split(/\n|(?=<a\s)/i)) {
    const words = piece.split(between);
    const links = words.filter(isLink);
    const others = words.filter((word) => !isLink(word)).join(' ');
    date = readDate(/\badd_date="(\d+)"/i.exec(piece)?.[1] ?? others) ?? date;
    for (const link of links) {
      const bytes = encoder.encode(link);
      const post = sections.read(bytes, 0, bytes.length);
      if (post !== null) sections.put(section, post, date);
    }
    if (links.length > 0) date = null;
  }
}
