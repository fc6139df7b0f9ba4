import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ImportRefused, type Problem } from '../../../../content/files/problems.ts';
import type { ContentPart } from '../../../../content/import/read-folder.ts';

/** Limits of an archive, so that a small one does not fill the disk. Sizes are unpacked. */
interface ZipLimits {
  readonly entries: number;
  readonly fileBytes: number;
  readonly allBytes: number;
}

/** A picture may have 20 MB; 24 languages of 800 articles are some 20,000 files. */
const usualLimits: ZipLimits = {
  entries: 20_000,
  fileBytes: 20 * 2 ** 20,
  allBytes: 200 * 2 ** 20,
};

/** Folders that an import reads. */
const parts: ReadonlySet<string> = new Set(['articles', 'authors', 'categories'] satisfies ContentPart[]);

/**
 * The folder around `articles`, `authors` and `categories`, as `content`: empty where they stand at the top, and null
 * for a file that an import does not read.
 */
function topOf(name: string): string | null {
  const [first = '', second = '', ...rest] = name.split('/');
  if (parts.has(first)) return '';
  return parts.has(second) && rest.length > 0 ? first : null;
}

/** Part of a name that an import passes over, and what some programs add. */
const hidden = /(?:^|\/)(?:\.|__MACOSX\/)/;

/** Programs of Unix and macOS write down what kind of file it was (APPNOTE 4.4.2, 4.4.15). */
const unixSystems = new Set([3, 19]);
const kindOfFile = 0o170000;
const plainKinds = new Set([0, 0o100000, 0o040000]);

/** Why an entry cannot be taken; null when it can. */
function problemOf(entry: Entry, { fileBytes }: ZipLimits): string | null {
  const system = entry.versionMadeBy >>> 8;
  const kind = (entry.externalFileAttributes >>> 16) & kindOfFile;
  if (unixSystems.has(system) && !plainKinds.has(kind)) return 'is a link or no ordinary file';
  if (entry.isEncrypted()) return 'is encrypted';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with them are refused
  if (/[\u0000-\u001f\u007f]/.test(entry.fileName)) return 'has a name with control characters';
  if (entry.uncompressedSize > fileBytes) return `is larger than ${Math.floor(fileBytes / 2 ** 20)} MB`;
  return null;
}

/** A refusal of the archive as a whole. */
const refused = (reason: string) => new ImportRefused([{ file: 'the archive', line: 0, reason }]);

/** The entries that an import reads. @throws ImportRefused before anything is unpacked */
async function entriesOf(zip: ZipFile, limits: ZipLimits): Promise<readonly Entry[]> {
  if (zip.entryCount > limits.entries) throw refused(`has more than ${limits.entries} entries`);
  const problems: Problem[] = [];
  const names = new Set<string>();
  const found: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    const reason = names.has(fileName) ? 'is in the archive twice' : problemOf(entry, limits);
    names.add(fileName);
    if (reason !== null) problems.push({ file: fileName, line: 0, reason });
    // Each entry counts, and its size is kept to when it is unpacked: several may share the same bytes.
    bytes += entry.uncompressedSize;
    if (bytes > limits.allBytes)
      throw refused(`unpacks to more than ${Math.floor(limits.allBytes / 2 ** 20)} MB`);
    if (!fileName.endsWith('/') && topOf(fileName) !== null && !hidden.test(fileName)) found.push(entry);
  }
  if (problems.length > 0) throw new ImportRefused(problems);
  if (found.length === 0) throw refused('has no folder articles, authors or categories');
  return found;
}

/**
 * Unpacks what an import reads of an archive. Names cannot lead out of the folder, nothing but ordinary files is
 * written, and no file is longer than the archive says beforehand.
 * @param folder new and empty
 * @returns the folder to import
 * @throws ImportRefused for an archive that is damaged, hostile or too large
 */
export async function unpackZip(path: string, folder: string, limits = usualLimits): Promise<string> {
  let zip: ZipFile;
  try {
    // Names with `..`, a drive or a slash in front are refused by the library, which also holds sizes to what they say.
    zip = await openPromise(path, { autoClose: false, strictFileNames: false });
  } catch (cause) {
    throw Object.assign(refused('is no zip that can be read'), { cause });
  }
  try {
    const entries = await entriesOf(zip, limits);
    const tops = new Set(entries.map(({ fileName }) => topOf(fileName) ?? ''));
    const [top = '', ...others] = tops;
    if (others.length > 0) throw refused(`has content in several places: ${[...tops].join(', ')}`);
    for (const entry of entries) {
      const target = join(folder, entry.fileName);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(
        await zip.openReadStreamPromise(entry),
        createWriteStream(target, { flags: 'wx', mode: 0o600 }),
      );
    }
    return join(folder, top);
  } catch (thrown) {
    if (thrown instanceof ImportRefused || isOfDisk(thrown)) throw thrown;
    throw Object.assign(refused(`cannot be unpacked: ${(thrown as Error).message}`), { cause: thrown });
  } finally {
    zip.close();
  }
}

const ofDisk = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EIO']);
const isOfDisk = (thrown: unknown) =>
  thrown instanceof Error && 'code' in thrown && ofDisk.has(String(thrown.code));
