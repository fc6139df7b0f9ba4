import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { languages } from '../../../../i18n/languages.ts';
import { useCountdown } from '../../../browser/countdown.ts';
import { type Download, isConversion, isConverting } from '../../../browser/downloads/downloads.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { Notice, Progress } from '../../../ui/surfaces.tsx';

type Translate = ReturnType<typeof useTranslate>;

/**
 * One line on a download's state, without its numbers: announced once for each change.
 * @param another whether another file of the same visitor is being converted
 */
export function describe(download: Download, another: boolean, t: Translate): string {
  const { phase, conversion, arrival, message, file } = download;
  if (phase === 'failed') return message ?? t('failure.network');
  if (phase === 'cancelled') return t('conversion.cancelled');
  if (arrival === 'saved') return t('conversion.done');
  if (arrival === 'broken') return t('option.broken');
  if (arrival === 'late') return t('option.not-arriving');
  if (!isConversion(download)) return t(phase === 'started' ? 'option.started' : 'conversion.starting');
  switch (conversion?.state) {
    case 'waiting':
      return another
        ? t('conversion.after-yours')
        : t('conversion.waiting', { ahead: conversion.ahead ?? 0 });
    case 'reading':
      return t(file.option.id === 'mp4-slideshow' ? 'conversion.starting' : 'conversion.reading');
    case 'converting':
      return t('conversion.converting');
    case 'done':
      return t('conversion.done');
    default:
      return t(phase === 'started' ? 'option.started' : 'conversion.starting');
  }
}

/** Whether a file was transferred completely, as far as known. */
export const hasArrived = ({ phase, conversion, arrival }: Download): boolean =>
  phase === 'started' && (arrival === 'saved' || conversion?.state === 'done');

/** Announces each change of a download. */
export function useAnnouncedDownload(said: string | null, onAnnounce: (text: string) => void): void {
  const announced = useRef<string>(null);
  useEffect(() => {
    if (said === announced.current) return;
    announced.current = said;
    if (said !== null) onAnnounce(said);
  }, [said, onAnnounce]);
}

interface DownloadStateProps {
  download: Download;
  another: boolean;
  /** An article that says where files are found on this device; null where it has been said. */
  help: string | null;
  onCancel(): void;
  onRetry(): void;
}

/** The outcome of a press on a download button, shown below it. */
export function DownloadState({ download, another, help, onCancel, onRetry }: DownloadStateProps) {
  const t = useTranslate();
  const line = describe(download, another, t);
  const seconds = useCountdown(download.retryAt);
  if (isConverting(download)) return <ConversionState download={download} line={line} onCancel={onCancel} />;
  switch (download.phase) {
    case 'preparing':
    case 'cancelled':
      return <Notice kind="plain">{line}</Notice>;
    case 'started':
      if (download.arrival === 'broken' || download.arrival === 'late')
        return (
          <Notice kind="plain">
            <p>{line}</p>
            <Button strength="plain" onClick={onRetry}>
              {t('failure.retry')}
            </Button>
          </Notice>
        );
      return (
        <Notice kind={hasArrived(download) ? 'success' : 'plain'}>
          <p>
            {line}
            {help !== null && (
              <>
                {' '}
                <Link to={help}>{t('option.not-there')}</Link>
              </>
            )}
          </p>
        </Notice>
      );
    case 'failed':
      return (
        <Notice kind="error">
          <p>{line}</p>
          {seconds > 0 ? (
            <p>{t('failure.retry-in', { seconds })}</p>
          ) : (
            <Button strength="plain" onClick={onRetry}>
              {t('failure.retry')}
            </Button>
          )}
        </Notice>
      );
  }
}

interface ConversionStateProps {
  download: Download;
  line: string;
  onCancel(): void;
}

/** A conversion's progress, with a cancel button. */
export function ConversionState({ download, line, onCancel }: ConversionStateProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { conversion, file } = download;
  const fraction = conversion?.state === 'converting' ? conversion.progress : null;
  return (
    <div className="conversion">
      <div className="conversion-line">
        <span>{line}</span>
        {fraction !== null && (
          <span className="conversion-percent">
            {new Intl.NumberFormat(languages[locale].intl, { style: 'percent' }).format(fraction)}
          </span>
        )}
      </div>
      <div className="conversion-bar">
        <Progress
          fraction={fraction}
          label={t('conversion.label', { format: file.option.format.toUpperCase() })}
        />
        <Button strength="quiet" icon="close" onClick={onCancel}>
          {t('conversion.cancel')}
        </Button>
      </div>
      {download.phase === 'started' && <p className="conversion-started">{t('option.started')}</p>}
    </div>
  );
}
