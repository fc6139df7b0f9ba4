import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { openImage } from '../../../images/open-image.ts';
import type { Size } from '../item.ts';

/** A picture that is larger than this is no banner. */
const maxBytes = 5 * 2 ** 20;
const limitMs = 20_000;

/** A picture as it is found, and its size in pixels. */
export type SourcePicture = Size & { readonly bytes: Buffer };

/** The bytes of an address; only the configuration decides on a picture's source. */
async function fetchSource(address: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(limitMs) });
  if (!response.ok || response.body === null) throw new Error(`answered with ${response.status}`);
  return response.body;
}

/** Why a source could not be read: the code of a file, or the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  return code ?? (cause instanceof Error ? cause.message : message);
}

/**
 * Reads a picture of the site configuration.
 * @param source an address, or a path
 * @param folder of the configuration file, to which paths are relative
 * @throws Error with a short description of the problem
 */
export async function readPictureSource(source: string, folder: string): Promise<SourcePicture> {
  const read: Uint8Array[] = [];
  let left = maxBytes;
  try {
    const isAddress = /^https?:/.test(source);
    const chunks = isAddress ? await fetchSource(source) : createReadStream(resolve(folder, source));
    for await (const chunk of chunks) {
      read.push(chunk);
      left -= chunk.length;
      if (left < 0) break;
    }
  } catch (cause) {
    throw new Error(`is missing: ${reasonOf(cause)}`, { cause });
  }
  if (left < 0) throw new Error('is too big: more than 5 MB');
  const bytes = Buffer.concat(read);
  try {
    const { width, height } = await openImage(bytes);
    return { bytes, width, height };
  } catch (cause) {
    throw new Error(`is no picture that can be read: ${(cause as Error).message}`, { cause });
  }
}
