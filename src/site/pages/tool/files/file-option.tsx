import { type ReactNode, useRef } from 'react';
import { languages } from '../../../../i18n/languages.ts';
import type { DownloadOption } from '../../../api.ts';
import {
  type Download,
  hasArrived,
  isConverting,
  type RequestedFile,
} from '../../../browser/downloads/downloads.ts';
import { inLanguage } from '../../../browser/downloads/file-requests.ts';
import { onPlainClick } from '../../../browser/plain-click.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { IconButton, type Strength } from '../../../ui/controls.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Progress } from '../../../ui/surfaces.tsx';
import { DownloadTrouble, describeState, useDownload } from './download-state.tsx';
import { formatBytes } from './sizes.ts';

interface FileOptionProps {
  file: RequestedFile;
  /** Replaces the format's name and the remark below it. */
  words?: { readonly name: string; readonly remark: string };
  strength: Strength;
  onAnnounce(text: string): void;
}

type Translate = ReturnType<typeof useTranslate>;

/**
 * One file. Its button becomes the progress of the last press, and then says that it is saved, in the line of its size.
 * Without scripts the link downloads it directly.
 */
export function FileOption({ file, words, strength, onAnnounce }: FileOptionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const link = useRef<HTMLAnchorElement>(null);
  const { option } = file;
  const { download, another, ...run } = useDownload(file, onAnnounce);
  const start = () => {
    run.start();
    link.current?.focus({ preventScroll: true });
  };
  return (
    <div className="option">
      <a
        ref={link}
        {...optionLook(option, strength, download)}
        href={inLanguage(option.href, locale)}
        onClick={onPlainClick(start)}
      >
        <OptionFace option={option} download={download} another={another} facts={words && [words.remark]}>
          {words?.name ?? optionName(option, t)}
        </OptionFace>
      </a>
      {download !== undefined && isConverting(download) && (
        <IconButton
          icon="close"
          label={t('conversion.cancel')}
          className="option-cancel"
          onClick={() => {
            run.cancel();
            link.current?.focus();
          }}
        />
      )}
      {download !== undefined && <DownloadTrouble download={download} onRetry={start} />}
    </div>
  );
}

const kinds: Readonly<Record<DownloadOption['format'], string>> = {
  mp4: 'video',
  mp3: 'sound',
  m4a: 'sound',
  jpg: 'photos',
  zip: 'photos',
};

/** The attributes of a file's button. */
export const optionLook = (
  { format }: DownloadOption,
  strength: Strength,
  download: Download | undefined,
) => ({
  className: `button button-${strength} option-link option-${kinds[format]}`,
  'data-stage': (download && stageOf(download)) ?? undefined,
});

interface OptionFaceProps {
  option: DownloadOption;
  download: Download | undefined;
  another: boolean;
  /** Replaces the format's facts. */
  facts?: readonly string[] | undefined;
  /** Its name. */
  children: ReactNode;
}

/** The content of a file's button: a sign in the colour of its kind, its name, and one line of facts or of its state. */
export function OptionFace({ option, download, another, facts, children }: OptionFaceProps) {
  const t = useTranslate();
  const locale = useLocale();
  const stage = download === undefined ? null : stageOf(download);
  const fraction = stage === 'preparing' || stage === 'begun' ? fractionOf(download) : undefined;
  return (
    <>
      <span className="option-sign">
        <Icon name={stage === null ? signs[option.format] : stageSigns[stage]} />
      </span>
      <span className="option-words">
        <span className="option-name">{children}</span>
        <span className="option-facts">
          {download === undefined || stage === null ? (
            (download?.phase === 'cancelled'
              ? [t('conversion.cancelled')]
              : (facts ?? factsOf(option, locale, t))
            ).map((fact) => (
              <span key={fact}>
                <bdi>{fact}</bdi>
              </span>
            ))
          ) : (
            <>
              <span className="option-stage">
                {stage === 'saved'
                  ? t('option.saved')
                  : isConverting(download)
                    ? describeState(download, another, t)
                    : t(`option.${stage}`)}
              </span>
              {fraction != null && (
                <bdi>
                  {new Intl.NumberFormat(languages[locale].intl, {
                    style: 'percent',
                    maximumFractionDigits: 0,
                  }).format(fraction)}
                </bdi>
              )}
              {stage === 'saved' && savedBytes(download) !== null && (
                <bdi>{formatBytes(savedBytes(download) ?? 0, locale)}</bdi>
              )}
            </>
          )}
        </span>
      </span>
      {fraction !== undefined && (
        <Progress
          fraction={fraction}
          label={t('conversion.label', { format: option.format.toUpperCase() })}
        />
      )}
    </>
  );
}

const savedBytes = ({ file, conversion, bytes }: Download) =>
  file.option.bytes ?? conversion?.bytes ?? bytes ?? null;

/**
 * Share of a file that is made or has arrived; null while unknown, undefined when it needs no progress bar.
 */
function fractionOf(download: Download | undefined): number | null | undefined {
  if (download === undefined) return undefined;
  const { conversion, bytes, file } = download;
  if (isConverting(download)) return conversion?.state === 'converting' ? conversion.progress : null;
  const { bytes: size } = file.option;
  if (download.phase === 'preparing' || size === null || bytes === undefined) return null;
  return Math.min(1, bytes / size);
}

/** A button's state after it was pressed. */
type Stage = 'preparing' | 'begun' | 'saved';

/** A download's state as one word; null when the button should look unpressed. */
function stageOf(download: Download): Stage | null {
  const { phase, arrival } = download;
  if (phase === 'preparing') return 'preparing';
  if (phase !== 'started' || arrival === 'broken') return null;
  return hasArrived(download) ? 'saved' : 'begun';
}

const stageSigns: Readonly<Record<Stage, IconName>> = {
  preparing: 'clock',
  begun: 'download',
  saved: 'check',
};

const signs: Readonly<Record<DownloadOption['format'], IconName>> = {
  mp4: 'download',
  mp3: 'music',
  m4a: 'music',
  jpg: 'images',
  zip: 'images',
};

export function optionName(option: DownloadOption, t: Translate): string {
  if (option.id === 'mp4-slideshow') return t('option.mp4-slideshow');
  if (option.format === 'zip') return t('option.zip');
  if (option.format === 'mp4') return t(option.id === 'mp4-hd' ? 'option.mp4-hd' : 'option.mp4');
  return t(option.format === 'm4a' ? 'option.m4a' : 'option.mp3');
}

/** The known facts of a file before it is saved. */
function factsOf(option: DownloadOption, locale: ReturnType<typeof useLocale>, t: Translate): string[] {
  const { format, width, height, bytes, codec, label } = option;
  const facts: string[] = [];
  if (format === 'mp4') facts.push('MP4');
  if (format === 'mp4' && width !== null && height !== null) facts.push(`${width} × ${height}`);
  // The label names an mp3 with its bit rate where we make it: "MP3 128 kbps".
  const rate = format === 'mp3' ? label.slice('MP3'.length).trim() : '';
  if (rate !== '') facts.push(rate);
  if (bytes !== null) facts.push(formatBytes(bytes, locale));
  if (option.may_have_watermark === true) facts.push(t('option.marked'));
  else if (codec === 'h265') facts.push(t('option.hevc'));
  else if (format === 'm4a') facts.push(t('option.unchanged'));
  return facts;
}
