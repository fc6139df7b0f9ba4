import { type ReactNode, useEffect, useRef } from 'react';
import { languages } from '../../../../i18n/languages.ts';
import { useCountdown } from '../../../browser/countdown.ts';
import {
  type Download,
  fileKey,
  hasArrived,
  isConverting,
  type RequestedFile,
  useDownloads,
} from '../../../browser/downloads/downloads.ts';
import { cancelDownload, startDownload } from '../../../browser/downloads/start-download.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { ErrorNotice, Notice, Progress } from '../../../ui/surfaces.tsx';

type Translate = ReturnType<typeof useTranslate>;

/**
 * One line on a download's state, without its numbers: announced once for each change.
 * @param another whether another file of the same visitor is being converted
 */
export function describe(download: Download, another: boolean, t: Translate): string {
  const lines = [describeState(download, another, t)];
  if (hasArrived(download)) lines.push(...lacksOf(download, t));
  return lines.join(' ');
}

/** Parts that an arrived file lacks. */
function lacksOf({ conversion, missingPhotos, name }: Download, t: Translate): string[] {
  const photos = missingPhotos || (conversion?.missing_photos ?? 0);
  const [, format] = /\.(heic|avif)$/.exec(name ?? '') ?? [];
  return [
    ...(conversion?.no_sound === 'lost' ? [t('conversion.no-sound')] : []),
    ...(photos > 0 ? [t('conversion.missing-photos', { count: photos })] : []),
    ...(format === undefined ? [] : [t('option.as-it-is', { format: format.toUpperCase() })]),
  ];
}

/** A download's state in a few words. */
export function describeState(download: Download, another: boolean, t: Translate): string {
  const { phase, conversion, arrival, message, file } = download;
  if (phase === 'failed') return message ?? t('failure.network');
  if (phase === 'cancelled') return t('conversion.cancelled');
  if (arrival === 'broken') return t('option.broken');
  if (!isConverting(download)) {
    if (phase === 'preparing') return t('conversion.starting');
    if (hasArrived(download)) return t('conversion.done');
    return t(arrival === 'late' ? 'option.not-arriving' : 'option.started');
  }
  switch (conversion?.state) {
    case 'waiting':
      return another
        ? t('conversion.after-yours')
        : t('conversion.waiting', { ahead: conversion.ahead ?? 0 });
    case 'reading':
      return t(file.option.id === 'mp4-slideshow' ? 'conversion.starting' : 'conversion.reading');
    case 'converting':
      return t('conversion.converting');
    default:
      return t(phase === 'started' ? 'option.started' : 'conversion.starting');
  }
}

/** Announces each change of a download. */
export function useAnnouncedDownload(said: string | null, onAnnounce: (text: string) => void): void {
  const announced = useRef<string>(null);
  useEffect(() => {
    if (said === announced.current) return;
    announced.current = said;
    if (said !== null) onAnnounce(said);
  }, [said, onAnnounce]);
}

/** The download of a file that a visitor may press, each of its changes announced. @param file null before a press */
export function useDownload(file: RequestedFile | null, onAnnounce: (text: string) => void) {
  const t = useTranslate();
  const locale = useLocale();
  const downloads = useDownloads();
  const key = file === null ? '' : fileKey(file);
  const download = downloads.get(key);
  const another = [...downloads].some(([other, one]) => other !== key && isConverting(one));
  useAnnouncedDownload(download === undefined ? null : describe(download, another, t), onAnnounce);
  return {
    download,
    /** Whether another file is being converted. */
    another,
    start: () => file !== null && void startDownload(file, locale),
    cancel: () => void cancelDownload(key),
  };
}

interface DownloadStateProps {
  download: Download;
  another: boolean;
  onCancel(): void;
  onRetry(): void;
}

/** The outcome of a press on a download button, shown below it. */
export function DownloadState({ download, another, onCancel, onRetry }: DownloadStateProps) {
  const t = useTranslate();
  const line = describe(download, another, t);
  if (isConverting(download)) return <ConversionState download={download} line={line} onCancel={onCancel} />;
  switch (download.phase) {
    case 'preparing':
    case 'cancelled':
      return <Notice kind="plain">{line}</Notice>;
    case 'failed':
      return <DownloadTrouble download={download} onRetry={onRetry} />;
    case 'started':
      if (download.arrival === 'broken' || download.arrival === 'late')
        return <DownloadTrouble download={download} onRetry={onRetry} />;
      return <Notice kind={hasArrived(download) ? 'success' : 'plain'}>{line}</Notice>;
  }
}

/** A download's trouble, with a button to retry: it failed, is late, or lacks something. */
export function DownloadTrouble({
  download,
  onRetry,
}: Pick<DownloadStateProps, 'download' | 'onRetry'>): ReactNode {
  const t = useTranslate();
  const { phase, arrival, retryAt } = download;
  if (phase === 'failed' || (phase === 'started' && arrival === 'broken'))
    return (
      <RetryNotice
        line={describe(download, false, t)}
        retryAt={phase === 'failed' ? retryAt : null}
        onRetry={onRetry}
      />
    );
  if (phase === 'started' && arrival === 'late')
    return (
      <Notice kind="plain">
        <p>{t('option.not-arriving')}</p>
        <Button strength="plain" onClick={onRetry}>
          {t('failure.retry')}
        </Button>
      </Notice>
    );
  const lacks = hasArrived(download) ? lacksOf(download, t) : [];
  return lacks.length > 0 && <Notice kind="plain">{lacks.join(' ')}</Notice>;
}

interface ConversionStateProps {
  download: Download;
  line: string;
  onCancel(): void;
}

/** A conversion's progress, with a cancel button. */
function ConversionState({ download, line, onCancel }: ConversionStateProps) {
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

interface RetryNoticeProps {
  line: string;
  /** When another try makes sense, ms since the epoch; null for at once. */
  retryAt?: number | null;
  onRetry(): void;
}

/** Why a file did not come, with another try. */
export function RetryNotice({ line, retryAt = null, onRetry }: RetryNoticeProps) {
  const t = useTranslate();
  const seconds = useCountdown(retryAt);
  return (
    <ErrorNotice>
      <p>{line}</p>
      {seconds > 0 ? (
        <p>{t('failure.retry-in', { seconds })}</p>
      ) : (
        <Button strength="plain" onClick={onRetry}>
          {t('failure.retry')}
        </Button>
      )}
    </ErrorNotice>
  );
}
