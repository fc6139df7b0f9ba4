import { useEffect, useRef, useState } from 'react';
import { type Download, fileKey, useDownloads, type WantedFile } from '../../browser/downloads.ts';
import { inLanguage, isElsewhere } from '../../browser/file-requests.ts';
import { useMounted } from '../../browser/mounted.ts';
import { isPlainClick } from '../../browser/plain-click.ts';
import { cancelDownload, startDownload, startDownloads } from '../../browser/start-download.ts';
import { useLocale, useTranslate } from '../../translation.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { DownloadState, describe, useAnnouncedDownload } from './download-state.tsx';

interface GalleryProps {
  pictures: readonly WantedFile[];
  zip: WantedFile | null;
  /** An article that says where files are found on this device. */
  help: string | null;
  onAnnounce(text: string): void;
}

/** A slideshow's pictures: each for itself, the chosen ones one after another, or all in one file. */
export function Gallery({ pictures, zip, help, onAnnounce }: GalleryProps) {
  const t = useTranslate();
  const locale = useLocale();
  const mounted = useMounted();
  const downloads = useDownloads();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** What was pressed last: one file, or several. */
  const [pressed, setPressed] = useState<readonly WantedFile[]>([]);
  const series = useRef<AbortController>(undefined);
  useEffect(() => () => series.current?.abort(), []);

  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const download = async (files: readonly WantedFile[]) => {
    setPressed(files);
    if (files.length === 1) return Promise.all(files.map((file) => startDownload(file, locale)));
    // A second press while they start one after another would begin the series again.
    if (series.current !== undefined) return;
    series.current = new AbortController();
    await startDownloads(files, locale, series.current.signal);
    series.current = undefined;
  };
  const state = stateOf(pressed.map((file) => downloads.get(fileKey(file))));
  const said = state === undefined ? null : describe(state, false, t);
  useAnnouncedDownload(said, onAnnounce);

  return (
    <fieldset className="gallery">
      <legend>{t('photos.title', { count: pictures.length })}</legend>
      {mounted && (
        <label className="gallery-all">
          <input
            type="checkbox"
            checked={chosen.size === pictures.length}
            onChange={(event) =>
              setChosen(new Set(event.currentTarget.checked ? pictures.map(({ option }) => option.id) : []))
            }
          />
          {t('photos.all')}
        </label>
      )}
      <ul className="gallery-pictures">
        {pictures.map((file, at) => (
          <GalleryPicture
            key={file.option.id}
            file={file}
            number={at + 1}
            download={downloads.get(fileKey(file))}
            chosen={chosen.has(file.option.id)}
            onChoose={(on) => choose(file.option.id, on)}
            onDownload={() => void download([file])}
          />
        ))}
      </ul>
      <div className="gallery-actions">
        {zip !== null && (
          <LinkButton
            strength="action"
            icon="download"
            href={inLanguage(zip.option.href, locale)}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              void download([zip]);
            }}
          >
            {t('option.zip')}
          </LinkButton>
        )}
        {mounted && (
          <Button
            strength="plain"
            icon="images"
            disabled={chosen.size === 0}
            onClick={() => void download(pictures.filter(({ option }) => chosen.has(option.id)))}
          >
            {t('photos.selected', { count: chosen.size })}
          </Button>
        )}
        {state !== undefined && (
          <DownloadState
            download={state}
            another={false}
            help={help}
            onCancel={() => void cancelDownload(fileKey(state.file))}
            onRetry={() =>
              void download(pressed.filter((file) => downloads.get(fileKey(file))?.phase !== 'started'))
            }
          />
        )}
      </div>
    </fieldset>
  );
}

/** Several files as one: what failed is told before what is still to come, and that before what has started. */
function stateOf(downloads: readonly (Download | undefined)[]): Download | undefined {
  const known = downloads.filter((download) => download !== undefined);
  return (
    known.find(({ phase }) => phase === 'failed') ??
    known.find(({ phase }) => phase === 'preparing') ??
    known[0]
  );
}

const phaseIcons: Readonly<Record<Download['phase'], IconName>> = {
  preparing: 'clock',
  started: 'check',
  failed: 'warning',
  cancelled: 'download',
};

interface GalleryPictureProps {
  file: WantedFile;
  number: number;
  download: Download | undefined;
  chosen: boolean;
  onChoose(on: boolean): void;
  onDownload(): void;
}

function GalleryPicture({ file, number, download, chosen, onChoose, onDownload }: GalleryPictureProps) {
  const t = useTranslate();
  const locale = useLocale();
  const mounted = useMounted();
  const { option } = file;
  const picture = option.preview_url ?? (isElsewhere(option) ? null : option.href);
  return (
    <li className="gallery-picture">
      <label className="gallery-choice" htmlFor={mounted ? `choose-${option.id}` : undefined}>
        {mounted && (
          <input
            id={`choose-${option.id}`}
            type="checkbox"
            checked={chosen}
            aria-label={t('photos.select', { number })}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
        {picture === null ? (
          <span className="gallery-blank">
            <Icon name="images" />
          </span>
        ) : (
          <img
            src={picture}
            alt={t('photos.select', { number })}
            width={option.width ?? 360}
            height={option.height ?? 480}
            loading="lazy"
            decoding="async"
          />
        )}
      </label>
      <a
        className="icon-button gallery-download"
        href={inLanguage(option.href, locale)}
        aria-label={t('option.jpg', { number })}
        title={t('option.jpg', { number })}
        data-phase={download?.phase}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          onDownload();
        }}
      >
        <Icon name={download === undefined ? 'download' : phaseIcons[download.phase]} />
      </a>
    </li>
  );
}
