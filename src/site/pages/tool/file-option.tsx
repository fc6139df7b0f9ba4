import { useEffect, useRef } from 'react';
import { languages } from '../../../i18n/languages.ts';
import type { DownloadOption } from '../../api.ts';
import {
  type ConversionStatus,
  hasEnded,
  useConversion,
  type WatchedConversion,
} from '../../browser/conversion.ts';
import { useLocale, useTranslate } from '../../texts.tsx';
import { Button, type Strength } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice, Progress } from '../../ui/surfaces.tsx';
import { formatBytes } from './sizes.ts';

interface FileOptionProps {
  option: DownloadOption;
  strength: Strength;
  onAnnounce(text: string): void;
}

type Translate = ReturnType<typeof useTranslate>;

/** One file to have. The link is an ordinary download; a conversion's progress is followed beside it. */
export function FileOption({ option, strength, onAnnounce }: FileOptionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { watched, start, cancel } = useConversion(option.status_href);
  const link = useRef<HTMLAnchorElement>(null);

  const said = watched === null ? null : describe(watched, t);
  const announced = useRef<string>(null);
  useEffect(() => {
    if (said === null || said === announced.current) return;
    announced.current = said;
    onAnnounce(said);
  }, [said, onAnnounce]);

  const running = watched !== null && !hasEnded(watched);
  return (
    <div className="option">
      <a
        ref={link}
        className={`button button-${strength} option-link`}
        href={option.href}
        download
        onClick={() => {
          if (option.status_href === undefined) onAnnounce(t('option.started'));
          else if (!running) start();
        }}
      >
        <Icon name={option.format === 'mp4' ? 'download' : 'music'} />
        <span className="option-words">
          <span className="option-name">{optionName(option, t)}</span>
          <OptionFacts option={option} locale={locale} />
        </span>
      </a>
      {option.codec === 'h265' && <p className="option-remark">{t('option.hevc')}</p>}
      {watched !== null && (
        <Conversion
          watched={watched}
          format={option.format.toUpperCase()}
          onCancel={() => {
            void cancel();
            link.current?.focus();
          }}
          onRetry={() => link.current?.click()}
        />
      )}
    </div>
  );
}

function optionName(option: DownloadOption, t: Translate): string {
  if (option.format === 'mp4') return t(option.id === 'mp4-hd' ? 'option.mp4-hd' : 'option.mp4');
  return t(option.format === 'm4a' ? 'option.m4a' : 'option.mp3');
}

function OptionFacts({ option, locale }: { option: DownloadOption; locale: ReturnType<typeof useLocale> }) {
  const facts: string[] = [];
  if (option.format === 'mp4') facts.push('MP4');
  if (option.format === 'mp4' && option.width !== null && option.height !== null) {
    facts.push(`${option.width} × ${option.height}`);
  }
  // The label names an mp3 with its bit rate where we make it: "MP3 128 kbit/s".
  const rate = option.format === 'mp3' ? option.label.slice('MP3'.length).trim() : '';
  if (rate !== '') facts.push(rate);
  if (option.bytes !== null) facts.push(formatBytes(option.bytes, locale));
  return (
    <span className="option-facts">
      {facts.map((fact) => (
        <bdi key={fact}>{fact}</bdi>
      ))}
    </span>
  );
}

/** One line that says where a conversion stands, without its numbers: read out once for each change. */
function describe(watched: NonNullable<WatchedConversion>, t: Translate): string {
  if (watched.lost) return t('failure.network');
  const status = watched.status;
  if (status === null) return t('conversion.starting');
  switch (status.state) {
    case 'idle':
      return t('conversion.starting');
    case 'waiting':
      return t('conversion.waiting', { ahead: status.ahead ?? 0 });
    case 'reading':
      return t('conversion.reading');
    case 'converting':
      return t('conversion.converting');
    case 'done':
      return t('conversion.done');
    case 'cancelled':
      return t('conversion.cancelled');
    case 'failed':
      return status.error?.message ?? t('failure.network');
  }
}

function progressOf(status: ConversionStatus | null): number | null {
  return status?.state === 'converting' ? status.progress : null;
}

interface ConversionProps {
  watched: NonNullable<WatchedConversion>;
  format: string;
  onCancel(): void;
  onRetry(): void;
}

function Conversion({ watched, format, onCancel, onRetry }: ConversionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const line = describe(watched, t);
  if (hasEnded(watched)) {
    const state = watched.lost ? 'failed' : watched.status?.state;
    if (state === 'done') return <Notice kind="success">{line}</Notice>;
    return (
      <Notice kind={state === 'cancelled' ? 'plain' : 'trouble'}>
        <p>{line}</p>
        {state !== 'cancelled' && (
          <Button strength="plain" onClick={onRetry}>
            {t('failure.retry')}
          </Button>
        )}
      </Notice>
    );
  }
  const fraction = progressOf(watched.status);
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
        <Progress fraction={fraction} label={t('conversion.label', { format })} />
        <Button strength="quiet" icon="close" onClick={onCancel}>
          {t('conversion.cancel')}
        </Button>
      </div>
    </div>
  );
}
