import { useEffect } from 'react';
import type { DownloadOption, ResolveResult } from '../../../site/api.ts';
import { inLanguage, isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import { isPlainClick } from '../../../site/browser/plain-click.ts';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import { offersPictures } from '../../../site/pages/tool/files/choose-options.ts';
import { RetryNotice } from '../../../site/pages/tool/files/retry-notice.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { Notice, Progress } from '../../../site/ui/surfaces.tsx';
import { useZip, type ZipState } from './use-zip.ts';

interface SaveAllProps {
  results: readonly ResolveResult[];
  buttons: readonly DownloadButton[];
  onAnnounce(text: string): void;
}

/** Ids of a post's option for each kind of zip, the best first. */
const wanted = { mp4: ['mp4', 'zip'], mp3: ['mp3'] } as const;

type ZipFormat = keyof typeof wanted;

/** All files of the list at once: the videos and pictures, or the sounds, as the page offers them. */
export function SaveAll({ results, buttons, onAnnounce }: SaveAllProps) {
  const formats: ZipFormat[] = [];
  if (offersPictures(buttons)) formats.push('mp4');
  if (buttons.includes('mp3')) formats.push('mp3');
  return (
    <div className="list-all">
      {formats.map((format, at) => (
        <SaveFormat
          key={format}
          format={format}
          strength={at === 0 ? 'action' : 'plain'}
          options={optionsOf(results, format)}
          onAnnounce={onAnnounce}
        />
      ))}
    </div>
  );
}

/** The files of a zip, one of each post. What another backend has cannot be packed here. */
function optionsOf(results: readonly ResolveResult[], format: ZipFormat): DownloadOption[] {
  return results.flatMap((result) =>
    wanted[format]
      .flatMap((id) => result.options.filter((option) => option.id === id && !isElsewhere(option)))
      .slice(0, 1),
  );
}

interface SaveFormatProps {
  format: ZipFormat;
  strength: 'action' | 'plain';
  options: readonly DownloadOption[];
  onAnnounce(text: string): void;
}

const ticketOf = ({ href }: DownloadOption) => href.slice(href.lastIndexOf('/') + 1);

function SaveFormat({ format, strength, options, onAnnounce }: SaveFormatProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const locale = useLocale();
  const query = options.map((option) => `file=${ticketOf(option)}`).join('&');
  const href = `/api/files/zip?${query}`;
  const statuses = options.flatMap(({ status_href }) => status_href ?? []);
  const { state, start } = useZip(href, statuses);
  const isEmpty = options.length === 0;
  const photos = options.filter((option) => option.format === 'zip').length;
  const contents = [
    ...(options.length > photos ? [t('list.videos', { count: options.length - photos })] : []),
    ...(photos > 0 ? [t('list.photos', { count: photos })] : []),
  ];
  return (
    <div className="option">
      <a
        className={`button button-${strength} option-link option-${format === 'mp4' ? 'video' : 'sound'}`}
        // Without a target it is disabled, but keeps its place.
        href={isEmpty ? undefined : inLanguage(href, locale)}
        aria-disabled={isEmpty || undefined}
        data-stage={stageOf(state)}
        onClick={(event) => {
          if (isEmpty || !isPlainClick(event)) return;
          event.preventDefault();
          void start();
        }}
      >
        <span className="option-sign">
          <Icon name={format === 'mp4' ? 'download' : 'music'} />
        </span>
        <span className="option-words">
          <span className="option-name">
            {format === 'mp4' ? t('option.zip') : t('list.sounds', { count: options.length })}
          </span>
          {format === 'mp4' && (
            <span className="option-facts">
              {new Intl.ListFormat(locale, { type: 'unit' }).format(contents)}
            </span>
          )}
        </span>
      </a>
      <SavedState state={state} count={statuses.length} onRetry={start} onAnnounce={onAnnounce} />
    </div>
  );
}

/** A zip's state as the button shows it; undefined when it should look unpressed. */
function stageOf(state: ZipState): 'preparing' | 'begun' | 'saved' | undefined {
  if (state.kind === 'preparing') return state.kind;
  if (state.kind !== 'started' || state.arrival === 'broken') return undefined;
  return state.arrival === 'saved' ? 'saved' : 'begun';
}

interface SavedStateProps {
  state: ZipState;
  /** Sounds that are converted for the zip. */
  count: number;
  onRetry(): void;
  onAnnounce(text: string): void;
}

function SavedState({ state, count, onRetry, onAnnounce }: SavedStateProps) {
  const t = useTranslate<'tool' | 'several-links'>();
  const said = describe(state, t);
  useEffect(() => {
    if (said !== null) onAnnounce(said);
  }, [said, onAnnounce]);
  if (said === null) return null;
  if (state.kind === 'failed') return <RetryNotice line={said} retryAt={state.retryAt} onRetry={onRetry} />;
  if (state.kind !== 'started') return null;
  const { converted, arrival } = state;
  if (arrival === 'broken') return <RetryNotice line={said} onRetry={onRetry} />;
  return (
    <Notice kind={arrival === 'saved' ? 'success' : 'plain'}>
      <p>{said}</p>
      {arrival === 'late' && converted === null && (
        <Button strength="plain" onClick={onRetry}>
          {t('failure.retry')}
        </Button>
      )}
      {converted !== null && arrival !== 'saved' && (
        <>
          <p>{t('list.converted', { converted: Math.floor(converted), count })}</p>
          <Progress fraction={converted / count} label={t('conversion.label', { format: 'ZIP' })} />
        </>
      )}
    </Notice>
  );
}

/** One line on a zip's state; null before it was started. */
function describe(state: ZipState, t: ReturnType<typeof useTranslate>): string | null {
  if (state.kind === 'failed') return state.message;
  if (state.kind !== 'started') return null;
  switch (state.arrival) {
    case 'saved':
      return t('conversion.done');
    case 'broken':
      return t('option.broken');
    case 'late':
      // The zip waits for a sound that is being converted.
      return t(state.converted === null ? 'option.not-arriving' : 'option.started');
    default:
      return t('option.started');
  }
}
