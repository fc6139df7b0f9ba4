import { useCallback, useEffect, useState } from 'react';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { RetryNotice } from '../../../site/pages/tool/files/download-state.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { ErrorNotice } from '../../../site/ui/surfaces.tsx';
import { fetchFiles } from './fetch-file.ts';
import { type Face, SaveFace } from './save-face.tsx';

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
