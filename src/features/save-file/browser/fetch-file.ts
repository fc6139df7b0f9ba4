import type { Locale } from '../../../i18n/languages.ts';
import type { ErrorResponse } from '../../../site/api.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { whenReady } from '../../../site/browser/downloads/file-requests.ts';
import { partsOf } from '../../../site/browser/downloads/parts-of.ts';
import { fileOf } from '../../../site/browser/sharing.ts';
import { maxBytes } from './save-face.tsx';

/** A file in memory, or the reason why there is none: the server's message, null when it was unreachable. */
type Fetched = File | { readonly refusal: string | null } | 'too-large';

/**
 * Fetches a whole file, within limits.
 * @param progress called with the finished fraction, from 0 to 1; null while its size is unknown
 * @throws the signal's reason
 */
export async function fetchFile(
  file: RequestedFile,
  locale: Locale,
  signal: AbortSignal,
  progress: (fraction: number | null) => void,
): Promise<Fetched> {
  try {
    const ready = await whenReady(file, locale, signal, () => {});
    if (!('href' in ready)) return { refusal: ready.message };
    const response = await fetch(ready.href, { signal });
    if (!response.ok || response.body === null) return { refusal: await refusalOf(response) };
    const size = Number(response.headers.get('content-length') ?? 0);
    const parts: BlobPart[] = [];
    let received = 0;
    if (size > maxBytes) {
      await response.body.cancel();
      return 'too-large';
    }
    for await (const part of partsOf(response.body)) {
      received += part.byteLength;
      if (received > maxBytes) return 'too-large';
      parts.push(part);
      progress(size > 0 ? Math.min(1, received / size) : null);
    }
    // Not every browser takes a body that ends early for an error.
    if (received === 0 || received < size) return { refusal: null };
    return fileOf(parts, ready.name, file.option.format);
  } catch (thrown) {
    signal.throwIfAborted();
    // An interrupted connection or an unreadable response: a network failure.
    if (thrown instanceof TypeError || thrown instanceof SyntaxError) return { refusal: null };
    throw thrown;
  }
}

/**
 * Fetches files one after another, within the limits for all of them.
 * @returns the first one's failure, if one fails
 */
export async function fetchFiles(
  files: readonly RequestedFile[],
  locale: Locale,
  signal: AbortSignal,
  progress: (fraction: number | null) => void,
): Promise<File[] | Exclude<Fetched, File>> {
  const fetched: File[] = [];
  let bytes = 0;
  for (const [at, file] of files.entries()) {
    const one = await fetchFile(file, locale, signal, (fraction) =>
      progress(fraction === null && files.length === 1 ? null : (at + (fraction ?? 0)) / files.length),
    );
    if (!(one instanceof File)) return one;
    bytes += one.size;
    if (bytes > maxBytes) return 'too-large';
    fetched.push(one);
  }
  return fetched;
}

async function refusalOf(response: Response): Promise<string | null> {
  const { error } = (await response.json()) as Partial<ErrorResponse>;
  return error?.message ?? null;
}
