import { useCallback, useEffect, useState } from 'react';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { RetryNotice } from '../../../site/pages/tool/files/retry-notice.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { ErrorNotice, Progress } from '../../../site/ui/surfaces.tsx';
import { fetchFile } from './fetch-file.ts';

interface SharingProps {
  file: RequestedFile;
  onAnnounce(text: string): void;
  onEnd(): void;
}

type State =
  | { readonly kind: 'loading'; readonly fraction: number | null }
  | { readonly kind: 'ready'; readonly file: File }
  | { readonly kind: 'failed'; readonly message: string; readonly isFinal: boolean };

/** Fetches a file and passes it to the system's share sheet, with a second press when the first was too long ago. */
export function Sharing({ file: wanted, onAnnounce, onEnd }: SharingProps) {
  const t = useTranslate<'save-file' | 'tool'>();
  const locale = useLocale();
  const [attempt, setAttempt] = useState(1);
  const [state, setState] = useState<State>({ kind: 'loading', fraction: null });

  const share = useCallback(
    async (file: File) => {
      try {
        await navigator.share({ files: [file] });
        onEnd();
      } catch (thrown) {
        if (!(thrown instanceof DOMException)) throw thrown;
        // The visitor closed the sheet, or the press was too long ago for the system: the file stays ready for another
        // press.
        const isOver = thrown.name !== 'AbortError' && thrown.name !== 'NotAllowedError';
        if (isOver) setState({ kind: 'failed', message: t('failure.network'), isFinal: false });
        else setState({ kind: 'ready', file });
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
      const fetched = await fetchFile(wanted, locale, abort.signal, (fraction) =>
        setState({ kind: 'loading', fraction }),
      );
      if (fetched instanceof File) return share(fetched);
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
      <div className="conversion">
        <span>{t('save.ready')}</span>
        <div className="conversion-bar">
          <Button strength="action" onClick={() => void share(state.file)}>
            {t('save.now')}
          </Button>
          <Button strength="quiet" icon="close" onClick={onEnd}>
            {t('conversion.cancel')}
          </Button>
        </div>
      </div>
    );
  if (state.kind === 'failed')
    return state.isFinal ? (
      <ErrorNotice>{state.message}</ErrorNotice>
    ) : (
      <RetryNotice line={state.message} onRetry={() => setAttempt(attempt + 1)} />
    );
  return (
    <div className="conversion">
      <span>{t('save.loading')}</span>
      <div className="conversion-bar">
        <Progress fraction={state.fraction} label={t('save.loading')} />
        <Button strength="quiet" icon="close" onClick={onEnd}>
          {t('conversion.cancel')}
        </Button>
      </div>
    </div>
  );
}
