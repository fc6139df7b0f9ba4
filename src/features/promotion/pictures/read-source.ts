import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { BackendError, readBounded } from '../../../http-client/client.ts';
import { openImage } from '../../../images/open-image.ts';
import type { Size } from '../item.ts';

/** A picture that is larger than this is no banner. */
const maxBytes = 5 * 2 ** 20;
const limitMs = 20_000;

/** A picture as it is found, and its size in pixels. */
export type SourcePicture = Size & { readonly bytes: Buffer };

/** Only the configuration decides on a picture's source. */
const openSource = async (source: string, folder: string): Promise<Response> =>
  /^https?:/.test(source)
    ? fetch(source, { redirect: 'error', signal: AbortSignal.timeout(limitMs) })
    : new Response(Readable.toWeb(createReadStream(resolve(folder, source))) as ReadableStream);

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
  let bytes: Buffer;
  try {
    const response = await openSource(source, folder);
    if (!response.ok) throw new Error(`answered with ${response.status}`);
    bytes = await readBounded(response, maxBytes);
  } catch (cause) {
    const isTooBig = cause instanceof BackendError;
    throw new Error(isTooBig ? 'is too big: more than 5 MB' : `is missing: ${reasonOf(cause)}`, { cause });
  }
  try {
    const { width, height } = await openImage(bytes);
    return { bytes, width, height };
  } catch (cause) {
    throw new Error(`is no picture that can be read: ${(cause as Error).message}`, { cause });
  }
}
