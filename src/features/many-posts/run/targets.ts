import { type ZipEntry, zipFiles } from '../../../downloader/media/zip.ts';
import { handOverMade } from '../../../site/browser/downloads/hand-over.ts';
import { partsOf } from '../../../site/browser/downloads/parts-of.ts';
import type { Run, RunPost, SavedFile } from './run.ts';
import type { RunStore } from './run-store.ts';

const columns = [
  'n',
  'date',
  'link',
  'list',
  'state',
  'reason',
  'author',
  'text',
  'posted',
  'files',
  'zip',
] as const;

type Line = Readonly<Record<(typeof columns)[number], string | number | readonly string[] | null>>;

const lineOf = (post: RunPost, { files, zip }: RunPost): Line => ({
  n: post.n,
  date: post.date === null ? null : new Date(post.date).toISOString(),
  link: post.link,
  list: post.section,
  state: post.state,
  reason: (post.state !== 'saved' && post.reason) || null,
  author: post.author ?? null,
  text: post.text ?? null,
  posted: post.postedAt ?? null,
  files,
  zip: zip ?? null,
});

/** A cell as RFC 4180 quotes it. An apostrophe keeps spreadsheets from taking it for a formula. */
function cell(value: Line[keyof Line]): string {
  const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/**
 * All posts of a run, with what became of each: for people and spreadsheets, and for programs.
 * @returns files by their names
 */
export function manifestOf(posts: readonly RunPost[]): Readonly<Record<string, string>> {
  const lines = posts.map((post) => lineOf(post, posts[(post.sameAs ?? 0) - 1] ?? post));
  const rows = lines.map((line) => columns.map((column) => cell(line[column])).join(','));
  return {
    // Spreadsheets read it as UTF-8 then.
    'posts.csv': `\uFEFF${[columns.join(','), ...rows].join('\r\n')}\r\n`,
    'posts.json': `${JSON.stringify(lines, null, 1)}\n`,
  };
}

/** Where the files of a run go. */
export interface RunTarget {
  /** Takes a whole file. @throws TypeError when it ends early, DOMException when it cannot be written */
  save(path: string, response: Response, signal: AbortSignal): Promise<SavedFile>;
  /** Notes a post whose files were saved. */
  commit(post: RunPost, files: readonly SavedFile[]): Promise<void>;
  /**
   * Writes what is held as far as it is due, and the list of all posts.
   * @param at after each post, when the run stands still, and when nothing more will come
   */
  settle(posts: () => readonly RunPost[], at: 'post' | 'pause' | 'end'): Promise<void>;
}

/** Not every browser takes a body that ends early for an error. */
function checkLength(response: Response, bytes: number): number {
  const stated = response.headers.get('content-length');
  if (bytes === 0 || (stated !== null && Number(stated) !== bytes))
    throw new TypeError('the file ended early');
  return bytes;
}

/** A list is written again after so many posts: what a crash leaves is not far behind. */
const postsAList = 25;

/** Files go into a folder, one by one. */
export function folderTarget(run: Run, folder: FileSystemDirectoryHandle, store: RunStore): RunTarget {
  let saved = 0;

  async function fileAt(path: string): Promise<FileSystemFileHandle> {
    const names = [run.name, ...path.split('/')];
    const last = names.pop() ?? '';
    let place = folder;
    for (const name of names) place = await place.getDirectoryHandle(name, { create: true });
    return place.getFileHandle(last, { create: true });
  }

  async function writeList(posts: readonly RunPost[]): Promise<void> {
    for (const [name, text] of Object.entries(manifestOf(posts))) {
      const writable = await (await fileAt(name)).createWritable();
      await writable.write(text);
      await writable.close();
    }
  }

  return {
    async save(path, response, signal) {
      const file = await fileAt(path);
      await response.body?.pipeTo(await file.createWritable(), { signal });
      return { path, size: checkLength(response, (await file.getFile()).size) };
    },
    commit: (post) => store.put(post),
    async settle(posts, at) {
      saved += 1;
      if (at !== 'post' || saved % postsAList === 0) await writeList(posts());
    },
  };
}

/** Phones open zips of this size. */
const zipBytes = 500e6;

interface ZipTargetOptions {
  readonly run: Run;
  readonly posts: readonly RunPost[];
  readonly store: RunStore;
  /** Told of each zip that the browser got. */
  onZip(file: File): void;
  /** Told of posts that are in a zip now. */
  onZipped(posts: readonly RunPost[]): void;
  readonly maxBytes?: number;
}

const waitsForZip = ({ state, files, zip }: RunPost) =>
  state === 'saved' && files.length > 0 && zip === undefined;

/** Files wait on the device until they fill a zip, which the browser saves. */
export function zipTarget(options: ZipTargetOptions): RunTarget {
  const { store, onZip, onZipped, maxBytes = zipBytes } = options;
  let { run } = options;
  let bytes = options.posts.filter(waitsForZip).reduce((sum, post) => sum + post.bytes, 0);
  /** One zip at a time. */
  let busy: Promise<void> = Promise.resolve();

  async function flush(posts: () => readonly RunPost[], isOver: boolean): Promise<void> {
    if (bytes < maxBytes && !isOver) return;
    const packed = posts().filter(waitsForZip);
    // A run without files has its list still.
    if (packed.length === 0 && run.zips > 0) return;
    const number = run.zips + 1;
    const zipped = packed.map((post) => ({ ...post, zip: number }));
    const numbers = new Map(zipped.map((post) => [post.n, post]));
    const list = manifestOf(posts().map((post) => numbers.get(post.n) ?? post));
    const file = await makeZip(`${run.name}-${number}.zip`, entries(zipped, list, store));
    handOverMade(file);
    run = { ...run, zips: number };
    await store.zipped(run, zipped);
    bytes -= packed.reduce((sum, post) => sum + post.bytes, 0);
    onZipped(zipped);
    onZip(file);
  }

  return {
    async save(path, response, signal) {
      const blob = await response.blob();
      signal.throwIfAborted();
      return { path, size: checkLength(response, blob.size), bytes: blob };
    },
    async commit(post, files) {
      await store.put(post, files);
      bytes += post.bytes;
    },
    settle(posts, at) {
      const zip = () => flush(posts, at === 'end');
      busy = busy.then(zip, zip);
      return busy;
    },
  };
}

async function* entries(
  posts: readonly RunPost[],
  list: Readonly<Record<string, string>>,
  store: RunStore,
): AsyncGenerator<ZipEntry> {
  const entry = (name: string, blob: Blob, modified: Date): ZipEntry => ({
    ...{ name, modified, size: blob.size, stream: partsOf(blob.stream()) },
  });
  for (const [name, text] of Object.entries(list)) yield entry(name, new Blob([text]), new Date());
  for (const { files, postedAt } of posts)
    for (const path of files) yield entry(path, await store.file(path), new Date(postedAt ?? Date.now()));
}

/** Parts in memory are joined from so many bytes on: browsers keep large ones on disk. */
const joinedBytes = 8 * 2 ** 20;

/** A zip in the site's own files on the device, or else in the browser's memory. */
async function makeZip(name: string, files: AsyncIterable<ZipEntry>): Promise<File> {
  const folder = await navigator.storage?.getDirectory?.().catch(() => null);
  const place = await folder?.getDirectoryHandle('many-posts', { create: true }).catch(() => null);
  if (place != null && 'createWritable' in FileSystemFileHandle.prototype) {
    // The last one is with the browser.
    for await (const other of place.keys()) await place.removeEntry(other);
    const handle = await place.getFileHandle(name, { create: true });
    const writable = await handle.createWritable();
    for await (const chunk of zipFiles(files)) await writable.write(chunk as Uint8Array<ArrayBuffer>);
    await writable.close();
    return handle.getFile();
  }
  const [joined, parts]: [Blob[], Uint8Array<ArrayBuffer>[]] = [[], []];
  let bytes = 0;
  for await (const chunk of zipFiles(files)) {
    parts.push(chunk as Uint8Array<ArrayBuffer>);
    bytes += chunk.length;
    if (bytes < joinedBytes) continue;
    joined.push(new Blob(parts.splice(0)));
    bytes = 0;
  }
  return new File([...joined, ...parts], name, { type: 'application/zip' });
}
