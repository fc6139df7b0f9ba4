import { useEffect } from 'react';
import type { ResolveResult } from '../../../api.ts';
import {
  type Download,
  isConversion,
  isConverting,
  useDownloads,
} from '../../../browser/downloads/downloads.ts';
import {
  cancelDownload,
  forgetDownload,
  isAnyOnlyHere,
  startDownload,
} from '../../../browser/downloads/start-download.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { IconButton } from '../../../ui/controls.tsx';
import { DownloadState, describe, useAnnouncedDownload } from '../files/download-state.tsx';
import { Result, type ResultProps } from './result.tsx';

interface OutcomeProps extends Omit<ResultProps, 'result'> {
  /** The found post; null before. */
  result: ResolveResult | null;
  /** The text whose list is shown instead; null for none. */
  list: string | null;
}

/** The outcome of the visitor's links: the found post, and other posts' running conversions. */
export function Outcome({ result, list, ...rest }: OutcomeProps) {
  return (
    <>
      <RunningConversions shown={result?.post.id ?? list} onAnnounce={rest.onAnnounce} />
      {result !== null && <Result key={result.post.id} result={result} {...rest} />}
    </>
  );
}

/**
 * Asks for confirmation before a reload or leaving while a conversion waits or begins; the browser provides the text.
 */
function useUnloadWarning(guarded: boolean): void {
  useEffect(() => {
    if (!guarded) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (isAnyOnlyHere()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [guarded]);
}

interface RunningConversionsProps {
  /** Id of the post, or the text of the list, that is shown: its own files are followed there. */
  shown: string | null;
  onAnnounce(text: string): void;
}

/** Conversions and zips of posts that are not shown: they go on, and can be followed and cancelled here. */
function RunningConversions({ shown, onAnnounce }: RunningConversionsProps) {
  const t = useTranslate();
  const all = [...useDownloads()];
  useUnloadWarning(isAnyOnlyHere());
  const others = all.filter(
    ([, download]) =>
      download.file.post.id !== shown && (isConversion(download) || download.file.parts !== undefined),
  );
  if (others.length === 0) return null;
  return (
    <ul className="running" aria-label={t('conversion.others')}>
      {others.map(([key, download]) => (
        <RunningConversion
          key={key}
          name={key}
          download={download}
          another={all.some(([other, one]) => other !== key && isConverting(one))}
          onAnnounce={onAnnounce}
        />
      ))}
    </ul>
  );
}

interface RunningConversionProps {
  name: string;
  download: Download;
  another: boolean;
  onAnnounce(text: string): void;
}

function RunningConversion({ name, download, another, onAnnounce }: RunningConversionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { post, option } = download.file;
  const line = describe(download, another, t);
  const isOver = !isConverting(download);
  // While it runs, what is read out belongs to the post that is shown.
  useAnnouncedDownload(isOver ? line : null, onAnnounce);
  return (
    <li>
      <p className="running-title">
        <span className="running-format">{option.format.toUpperCase()}</span>
        <bdi>{post.title || post.author.name}</bdi>
      </p>
      <div className={isOver ? 'running-ended' : undefined}>
        <DownloadState
          download={download}
          another={another}
          onCancel={() => void cancelDownload(name)}
          onRetry={() => void startDownload(download.file, locale)}
        />
        {isOver && (
          <IconButton icon="close" label={t('conversion.dismiss')} onClick={() => forgetDownload(name)} />
        )}
      </div>
    </li>
  );
}
