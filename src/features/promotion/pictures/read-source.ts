import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { openImage } from '../../../images/open-image.ts';

/** A picture that is larger than this is no banner. */
const maxBytes = 5 * 2 ** 20;
const limitMs = 20_000;

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('is too big: more than 5 MB');
    read.push(chunk);
  }
  return Buffer.concat(read);
}

async function readAddress(address: string): Promise<Buffer> {
  // Only the configuration decides on a picture's source.
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(limitMs) });
  if (!response.ok || response.body === null) throw new Error(`is missing: answered with ${response.status}`);
  return readAll(response.body);
}

/** A picture as it is found. */
interface SourcePicture {
  readonly bytes: Buffer;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Reads a picture of the site configuration.
 * @param source an address, or a path
 * @param folder of the configuration file, to which paths are relative
 * @throws Error with a short description of the problem
 */
export async function readPictureSource(source: string, folder: string): Promise<SourcePicture> {
  const bytes = await readSource(source, folder);
  try {
    const { width, height } = await openImage(bytes);
    return { bytes, width, height };
  } catch (cause) {
    throw new Error(`is no picture that can be read: ${(cause as Error).message}`, { cause });
  }
}

async function readSource(source: string, folder: string): Promise<Buffer> {
  if (/^https?:/.test(source)) {
    return readAddress(source).catch((cause: unknown) => {
      const { message } = cause as Error;
      throw new Error(message.startsWith('is ') ? message : `is missing: ${reasonOf(cause)}`, { cause });
    });
  }
  return readAll(createReadStream(resolve(folder, source))).catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Error(code === undefined ? message : `is missing: ${code}`, { cause });
  });
}

/** Why an address could not be read: the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
