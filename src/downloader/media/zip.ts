import { makeZip, predictLength } from 'client-zip';
import { Failure } from '../../failures/failures.ts';

/** A file that goes into a zip. */
export interface ZipEntry {
  /** Made by `fileName`. */
  readonly name: string;
  readonly modified: Date;
  /** Bytes; null when unknown. A stream of another length fails the zip. */
  readonly size: number | null;
  /** Opened when it is reached, and closed when the zip is left early. */
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Exact size of the zip of these entries; null when a size is unknown. */
export function zipLength(entries: readonly Pick<ZipEntry, 'name' | 'size'>[]): number | null {
  const sizes = entries.map(({ name, size }) => ({ name, size }));
  if (!sizes.every((entry): entry is { name: string; size: number } => entry.size !== null)) return null;
  return Number(predictLength(sizes));
}

/** The format has no time zone, and client-zip takes the machine's: every machine writes UTC. */
const inUtc = (date: Date) => new Date(date.getTime() + date.getTimezoneOffset() * 60_000);

/**
 * Packs files in order, as they arrive, without compression (media are compressed already).
 * @throws Failure `media_unavailable` when a file's length differs from the announced one, and whatever the streams
 *   throw
 */
export async function* zipFiles(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Uint8Array> {
  const opened: AsyncGenerator<Uint8Array>[] = [];
  async function* inputs() {
    for await (const entry of entries) {
      const input = counted(entry);
      opened[0] = input;
      yield { name: entry.name, lastModified: inUtc(entry.modified), input };
    }
  }
  const list = inputs();
  const reader = makeZip(list, { buffersAreUTF8: true }).getReader();
  const leftEarly = new Error('left early');
  let failed = false;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    // client-zip throws the reason into its own generator and ends neither the list nor the file it was reading.
    await reader.cancel(leftEarly).catch((error: unknown) => {
      if (error !== leftEarly && !failed) throw error;
    });
    await opened[0]?.return(undefined);
    await list.return(undefined);
  }
}

async function* counted({ name, size, stream }: ZipEntry): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (size !== null && bytes > size) break;
    yield chunk;
  }
  if (bytes === 0 || (size !== null && bytes !== size)) {
    throw new Failure('media_unavailable', { note: `${name}: ${bytes} of ${size ?? 'unknown'} bytes` });
  }
}
