import { useEffect } from 'react';
import type { DownloadOption, ResolveResult } from '../../../web/api.ts';
import { useCountdown } from '../../../web/browser/countdown.ts';
import { inLanguage, isElsewhere } from '../../../web/browser/downloads/file-requests.ts';
import { isPlainClick } from '../../../web/browser/plain-click.ts';
import type { DownloadButton } from '../../../web/configuration/configuration.ts';
import { offersPictures } from '../../../web/pages/tool/files/choose-options.ts';
import { useLocale, useTranslate } from '../../../web/translation.tsx';
import { Button } from '../../../web/ui/controls.tsx';
import { Icon } from '../../../web/ui/icon.tsx';
import { Notice, Progress } from '../../../web/ui/surfaces.tsx';
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
  const options = results.map((result) =>
    wanted[format]
      .flatMap((id) => result.options.filter((option) => option.id === id && !isElsewhere(option)))
      .at(0),
  );
  const distinct = new Map(options.map((option) => [option?.href, option]));
  return [...distinct.values()].filter((option) => option !== undefined);
}

interface SaveFormatProps {
  format: ZipFormat;
  strength: 'action' | 'plain';
  options: readonly DownloadOption[];
  onAnnounce(text: string): void;
}

const ticketOf = ({ href }: DownloadOption) => href.slice(href.lastIndexOf('/') + 1);

function SaveFormat({ format, strength, options, onAnnounce }: SaveFormatProps) {
  const t = useTranslate();
  const locale = useLocale();
  const query = options.map((option) => `file=${ticketOf(option)}`).join('&');
  const href = `/api/files/zip?${query}`;
  const statuses = options.flatMap(({ status_href }) => status_href ?? []);
  const { state, start } = useZip(href, statuses);
  const isEmpty = options.length === 0;
  return (
    <div className="option">
      <a
        className={`button button-${strength} option-link option-${format === 'mp4' ? 'video' : 'sound'}`}
        // Without a place to lead to it cannot be pressed, and keeps its place until there is one.
        href={isEmpty ? undefined : inLanguage(href, locale)}
        aria-disabled={isEmpty || undefined}
        data-stage={state.kind === 'preparing' ? 'preparing' : state.kind === 'started' ? 'begun' : undefined}
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
          <span className="option-name">{t('option.zip')}</span>
          <span className="option-facts">
            <bdi>
              {options.length} × {format.toUpperCase()}
            </bdi>
          </span>
        </span>
      </a>
      <SavedState state={state} count={statuses.length} onRetry={start} onAnnounce={onAnnounce} />
    </div>
  );
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
  const seconds = useCountdown(state.kind === 'failed' ? state.retryAt : null);
  const said =
    state.kind === 'failed' ? state.message : state.kind === 'started' ? t('option.started') : null;
  useEffect(() => {
    if (said !== null) onAnnounce(said);
  }, [said, onAnnounce]);
  if (state.kind === 'failed')
    return (
      <Notice kind="error">
        <p>{state.message}</p>
        {seconds > 0 ? (
          <p>{t('failure.retry-in', { seconds })}</p>
        ) : (
          <Button strength="plain" onClick={onRetry}>
            {t('failure.retry')}
          </Button>
        )}
      </Notice>
    );
  if (state.kind !== 'started') return null;
  const { converted } = state;
  return (
    <Notice kind="success">
      <p>{t('option.started')}</p>
      {converted !== null && (
        <>
          <p>{t('list.converted', { converted: Math.floor(converted), count })}</p>
          <Progress fraction={converted / count} label={t('conversion.label', { format: 'ZIP' })} />
        </>
      )}
    </Notice>
  );
}
