import { useRef } from 'react';
import type { DownloadOption } from '../../../api.ts';
import {
  type Download,
  fileKey,
  hasArrived,
  isConverting,
  type RequestedFile,
  useDownloads,
} from '../../../browser/downloads/downloads.ts';
import { inLanguage } from '../../../browser/downloads/file-requests.ts';
import { cancelDownload, startDownload } from '../../../browser/downloads/start-download.ts';
import { isPlainClick } from '../../../browser/plain-click.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import type { Strength } from '../../../ui/controls.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { DownloadState, describe, useAnnouncedDownload } from './download-state.tsx';
import { formatBytes } from './sizes.ts';

interface FileOptionProps {
  file: RequestedFile;
  /** In the place of the name of its format, and of the remark below it. */
  words?: { readonly name: string; readonly remark: string };
  strength: Strength;
  /** An article that says where files are found on this device. */
  help: string | null;
  onAnnounce(text: string): void;
}

type Translate = ReturnType<typeof useTranslate>;

/** One file, and below it the outcome of the last press. Without scripts the link downloads it directly. */
export function FileOption({ file, words, strength, help, onAnnounce }: FileOptionProps) {
  const t = useTranslate();
  const locale = useLocale();
  const downloads = useDownloads();
  const link = useRef<HTMLAnchorElement>(null);
  const { option } = file;
  const key = fileKey(file);
  const download = downloads.get(key);
  // Where to find saved files is shown once, below the last pressed button.
  const newest = [...downloads].findLast(([, { phase }]) => phase === 'started')?.[0];
  const another = [...downloads].some(([other, one]) => other !== key && isConverting(one));
  useAnnouncedDownload(download === undefined ? null : describe(download, another, t), onAnnounce);

  const remark = words?.remark ?? remarkOn(option, t);
  const stage = download === undefined ? null : stageOf(download);
  const start = () => void startDownload(file, locale);
  return (
    <div className="option">
      <a
        ref={link}
        className={`button button-${strength} option-link option-${option.format === 'mp4' ? 'video' : 'sound'}`}
        data-stage={stage ?? undefined}
        href={inLanguage(option.href, locale)}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          start();
        }}
      >
        <span className="option-sign">
          <Icon name={stage === null ? signs[option.format] : stageSigns[stage]} />
        </span>
        <span className="option-words">
          <span className="option-name">{words?.name ?? optionName(option, t)}</span>
          {stage === null ? (
            <OptionFacts option={option} locale={locale} />
          ) : (
            <span className="option-stage">{t(`option.${stage}`)}</span>
          )}
          {remark !== null && <span className="option-remark">{remark}</span>}
        </span>
      </a>
      {download !== undefined && (
        <DownloadState
          download={download}
          another={another}
          help={newest === key ? help : null}
          onCancel={() => {
            void cancelDownload(key);
            link.current?.focus();
          }}
          onRetry={() => {
            start();
            link.current?.focus();
          }}
        />
      )}
    </div>
  );
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

function remarkOn(option: DownloadOption, t: Translate): string | null {
  if (option.may_have_watermark === true) return t('option.marked');
  if (option.codec === 'h265') return t('option.hevc');
  return option.format === 'm4a' ? t('option.unchanged') : null;
}

function optionName(option: DownloadOption, t: Translate): string {
  if (option.id === 'mp4-slideshow') return t('option.mp4-slideshow');
  if (option.format === 'mp4') return t(option.id === 'mp4-hd' ? 'option.mp4-hd' : 'option.mp4');
  return t(option.format === 'm4a' ? 'option.m4a' : 'option.mp3');
}

function OptionFacts({ option, locale }: { option: DownloadOption; locale: ReturnType<typeof useLocale> }) {
  const facts: string[] = [];
  if (option.format === 'mp4') facts.push('MP4');
  if (option.format === 'mp4' && option.width !== null && option.height !== null) {
    facts.push(`${option.width} × ${option.height}`);
  }
  // The label names an mp3 with its bit rate where we make it: "MP3 128 kbps".
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
