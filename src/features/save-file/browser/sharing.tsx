import { useCallback, useEffect, useState } from 'react';
import type { Locale } from '../../../i18n/languages.ts';
import type { ErrorResponse } from '../../../site/api.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { whenReady } from '../../../site/browser/downloads/file-requests.ts';
import { partsOf } from '../../../site/browser/downloads/parts-of.ts';
import { fileOf } from '../../../site/browser/sharing.ts';
import { RetryNotice } from '../../../site/pages/tool/files/download-state.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { ErrorNotice } from '../../../site/ui/surfaces.tsx';
import { type Face, maxBytes, SaveFace } from './save-face.tsx';

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
async function fetchFiles(
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

interface SharingProps {
  files: readonly RequestedFile[];
  face: Face;
  onAnnounce(text: string): void;
  onEnd(isSaved: boolean): void;
}

type State =
  | { readonly kind: 'loading'; readonly fraction: number | null }
  | { readonly kind: 'ready'; readonly files: File[] }
  | { readonly kind: 'failed'; readonly message: string; readonly isFinal: boolean };

/** Fetches files and passes them to the system's share sheet, with a second press when the first was too long ago. */
export function Sharing({ files: wanted, face, onAnnounce, onEnd }: SharingProps) {
  const t = useTranslate<'save-file' | 'tool'>();
  const locale = useLocale();
  const [attempt, setAttempt] = useState(1);
  const [state, setState] = useState<State>({ kind: 'loading', fraction: null });

  const share = useCallback(
    async (files: File[]) => {
      try {
        await navigator.share({ files });
        onAnnounce(t('option.saved'));
        onEnd(true);
      } catch (thrown) {
        if (!(thrown instanceof DOMException)) throw thrown;
        // The visitor closed the sheet, or the press was too long ago for the system: the files stay ready for another
        // press.
        const isOver = thrown.name !== 'AbortError' && thrown.name !== 'NotAllowedError';
        if (isOver) setState({ kind: 'failed', message: t('failure.network'), isFinal: false });
        else setState({ kind: 'ready', files });
        if (thrown.name === 'NotAllowedError') onAnnounce(t('save.ready'));
      }
    },
    [t, onAnnounce, onEnd],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is a new one, whatever else has not changed
  useEffect(() => {
    const abort = new AbortController();
    const run = async () => {
      setState({ kind: 'loading', fraction: null });
      onAnnounce(t('save.loading'));
      const fetched = await fetchFiles(wanted, locale, abort.signal, (fraction) =>
        setState({ kind: 'loading', fraction }),
      );
      if (Array.isArray(fetched)) return share(fetched);
      const isFinal = fetched === 'too-large';
      const message = isFinal ? t('save.too-large') : (fetched.refusal ?? t('failure.network'));
      setState({ kind: 'failed', message, isFinal });
      onAnnounce(message);
    };
    run().catch((thrown: unknown) => {
      if (!abort.signal.aborted) throw thrown;
    });
    return () => abort.abort();
  }, [attempt]);

  if (state.kind === 'ready')
    return (
      <SaveFace
        {...face}
        stage="ready"
        onPress={() => void share(state.files)}
        onCancel={() => onEnd(false)}
      />
    );
  if (state.kind === 'failed')
    return state.isFinal ? (
      <ErrorNotice>{state.message}</ErrorNotice>
    ) : (
      <RetryNotice line={state.message} onRetry={() => setAttempt(attempt + 1)} />
    );
  return <SaveFace {...face} stage="preparing" fraction={state.fraction} onCancel={() => onEnd(false)} />;
}
