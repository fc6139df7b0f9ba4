import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder, createTarPacker, packTar, type TarHeader } from 'modern-tar';
import { z } from 'zod';

/** Names that an archive may hold; none of them leads out of a folder. */
const entryName =
  /^(?:database\.sqlite|secret-key|site\.config\.json|manifest\.json|pictures\/[\da-z-]{1,80}\.[a-z]{1,10})$/;

const file = z.strictObject({
  name: z.string().regex(entryName),
  /** Bytes. */
  size: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[\da-f]{64}$/),
});

const schema = z.strictObject({
  /** Grows when an older version could not read the archive. */
  format: z.literal(1, 'a newer version made the archive'),
  /** Version of the product that made it. */
  version: z.string(),
  node: z.string(),
  madeAt: z.iso.datetime(),
  database: z.object({
    /** Engine that it was copied from; in the archive it is a SQLite file. */
    engine: z.enum(['sqlite', 'postgresql']),
    version: z.string(),
    migrations: z.array(z.string()),
    /** How many rows some tables have. */
    rows: z.record(z.string(), z.number().int()),
  }),
  /** Source of the site's key; only a file is in the archive. */
  secretKey: z.enum(['file', 'environment', 'none']),
  files: z.array(file),
});

/** The description that an archive carries. */
export type Manifest = z.output<typeof schema>;
/** One file of an archive. */
export type ArchivedFile = z.output<typeof file>;
/** The description of a copied database. */
export type CopiedDatabase = Manifest['database'];

/** An archive that cannot be used; its message says why. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

/** @throws ArchiveRefused */
export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArchiveRefused('its manifest is no JSON', { cause: error });
  }
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new ArchiveRefused(`its manifest is wrong: ${issue?.path.join('.')}: ${issue?.message}`);
}

/**
 * An archive is a tar file whose last entry, `SHA256`, is the digest of every byte before that entry. What follows is
 * made from the digest alone, so a changed byte is found wherever it is, in headers and in padding too.
 */
const sealName = 'SHA256';
/** The two empty blocks that end a tar file. */
const endBytes = 1024;

const headerOf = (name: string, size: number): TarHeader => ({
  ...{ name, size, mode: 0o600, uid: 0, gid: 0, mtime: new Date(0) },
});

/** The last bytes of an archive with this digest. */
const sealOf = (digest: string): Promise<Uint8Array> =>
  packTar([{ header: headerOf(sealName, digest.length + 1), body: `${digest}\n` }]);

const sealBytes = (await sealOf('0'.repeat(64))).length;

/** Replaces the end of a tar file by the seal. */
async function* sealed(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  for await (const chunk of tar) {
    const all = Buffer.concat([held, chunk]);
    const ready = all.subarray(0, Math.max(0, all.length - endBytes));
    held = all.subarray(ready.length);
    hash.update(ready);
    if (ready.length > 0) yield ready;
  }
  yield await sealOf(hash.digest('hex'));
}

/** Adds a file to an archive that is being written. @param size of the body, in bytes */
export type AddFile = (name: string, size: number, body: AsyncIterable<Uint8Array>) => Promise<ArchivedFile>;

/**
 * Writes an archive, in constant memory.
 * @param fill adds the files, one after the other
 */
export async function writeArchive<R>(to: Writable, fill: (add: AddFile) => Promise<R>): Promise<R> {
  const { readable, controller } = createTarPacker();
  const written = pipeline(sealed(Readable.fromWeb(readable as never)), to);
  const add: AddFile = async (name, size, body) => {
    const hash = createHash('sha256');
    const writer = controller.add(headerOf(name, size)).getWriter();
    for await (const chunk of body) {
      hash.update(chunk);
      await writer.write(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
    await writer.close();
    return { name, size, sha256: hash.digest('hex') };
  };
  const filled = fill(add).then(
    (result) => {
      controller.finalize();
      return result;
    },
    (error: unknown) => {
      controller.error(error);
      throw error;
    },
  );
  // Filling fails when writing does; the reason is the writer's.
  const [result, end] = await Promise.allSettled([filled, written]);
  if (end.status === 'rejected') throw end.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Checks every byte of an archive against its seal. @throws ArchiveRefused */
export async function checkSeal(file: string): Promise<void> {
  const { size } = await stat(file);
  if (size < sealBytes) throw new ArchiveRefused('it is no backup, or was cut off');
  const hash = createHash('sha256');
  const sealAt = size - sealBytes;
  if (sealAt > 0) await pipeline(createReadStream(file, { end: sealAt - 1 }), hash);
  const seal = Buffer.alloc(sealBytes);
  const handle = await open(file);
  try {
    await handle.read(seal, 0, sealBytes, sealAt);
  } finally {
    await handle.close();
  }
  if (!seal.equals(await sealOf(hash.digest('hex'))))
    throw new ArchiveRefused('it is no backup, was cut off, or is damaged');
}

/**
 * Writes the files of an archive into a folder of their own.
 * @returns what was found
 * @throws ArchiveRefused
 */
export async function unpackArchive(file: string, folder: string): Promise<ArchivedFile[]> {
  const found: ArchivedFile[] = [];
  const entries = Readable.toWeb(createReadStream(file)).pipeThrough(
    createTarDecoder({ strict: true }) as never,
  ) as ReadableStream<{ header: TarHeader; body: ReadableStream<Uint8Array> }>;
  for await (const { header, body } of entries) {
    const { name, size, type = 'file' } = header;
    if (name === sealName) {
      await body.cancel();
      continue;
    }
    if (type !== 'file' || !entryName.test(name))
      throw new ArchiveRefused(`it has an unknown entry, ${name}`);
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Uint8Array, _, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(
      Readable.fromWeb(body as never),
      hashing,
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
    found.push({ name, size, sha256: hash.digest('hex') });
  }
  return found;
}
