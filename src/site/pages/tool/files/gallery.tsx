import { useEffect, useRef, useState } from 'react';
import {
  type Download,
  fileKey,
  hasArrived,
  type RequestedFile,
  useDownloads,
} from '../../../browser/downloads/downloads.ts';
import { inLanguage, isElsewhere } from '../../../browser/downloads/file-requests.ts';
import { cancelDownload, startDownload, startDownloads } from '../../../browser/downloads/start-download.ts';
import { useMounted } from '../../../browser/mounted.ts';
import { isPlainClick } from '../../../browser/plain-click.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Button, LinkButton } from '../../../ui/controls.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import type { Slide } from './choose-options.ts';
import { DownloadState, describe, useAnnouncedDownload } from './download-state.tsx';
import { PostPicture } from './post-picture.tsx';

interface GalleryProps {
  slides: readonly Slide<RequestedFile>[];
  /** The post's number of slides, including unavailable ones. */
  count: number;
  zip: RequestedFile | null;
  /** An article that says where files are found on this device. */
  help: string | null;
  onAnnounce(text: string): void;
}

/** A slideshow's pictures: each for itself, the chosen ones one after another, or all in one file. */
export function Gallery({ slides, count, zip, help, onAnnounce }: GalleryProps) {
  const t = useTranslate();
  const mounted = useMounted();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const saving = useGalleryDownloads();
  const said = saving.state === undefined ? null : describe(saving.state, false, t);
  useAnnouncedDownload(said, onAnnounce);

  const choose = (number: number, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(number);
    else next.delete(number);
    setChosen(next);
  };
  const ofChosen = slides.filter(({ number }) => chosen.has(number)).flatMap(filesOf);

  return (
    <fieldset className="gallery">
      <legend>
        {slides.length < count
          ? t('photos.some', { shown: slides.length, count })
          : t('photos.title', { count })}
      </legend>
      {mounted && (
        <label className="gallery-all">
          <input
            type="checkbox"
            checked={chosen.size === slides.length}
            onChange={(event) =>
              setChosen(new Set(event.currentTarget.checked ? slides.map(({ number }) => number) : []))
            }
          />
          {t('photos.all')}
        </label>
      )}
      <ul className="gallery-pictures">
        {slides.map((slide) => (
          <GallerySlide
            key={slide.number}
            slide={slide}
            downloads={saving.downloads}
            chosen={chosen.has(slide.number)}
            onChoose={(on) => choose(slide.number, on)}
            onDownload={(file) => void saving.download([file])}
          />
        ))}
      </ul>
      <GalleryActions zip={zip} chosen={chosen.size} files={ofChosen} help={help} saving={saving} />
    </fieldset>
  );
}

interface GalleryDownloads {
  readonly downloads: ReadonlyMap<string, Download>;
  /** The last pressed files: one, or several. */
  readonly pressed: readonly RequestedFile[];
  /** How that is doing; undefined when nothing was pressed. */
  readonly state: Download | undefined;
  download(files: readonly RequestedFile[]): Promise<unknown>;
}

/** Saves one file at once, several one after another. */
function useGalleryDownloads(): GalleryDownloads {
  const locale = useLocale();
  const downloads = useDownloads();
  const [pressed, setPressed] = useState<readonly RequestedFile[]>([]);
  const series = useRef<AbortController>(undefined);
  useEffect(() => () => series.current?.abort(), []);
  return {
    downloads,
    pressed,
    state: stateOf(pressed.map((file) => downloads.get(fileKey(file)))),
    async download(files) {
      setPressed(files);
      if (files.length === 1) return Promise.all(files.map((file) => startDownload(file, locale)));
      // A second press while they start one after another would begin the series again.
      if (series.current !== undefined) return;
      series.current = new AbortController();
      await startDownloads(files, locale, series.current.signal);
      series.current = undefined;
    },
  };
}

interface GalleryActionsProps {
  zip: RequestedFile | null;
  /** How many slides are chosen, and their files. */
  chosen: number;
  files: readonly RequestedFile[];
  help: string | null;
  saving: GalleryDownloads;
}

/** The actions for several files, and their progress. */
function GalleryActions({ zip, chosen, files, help, saving }: GalleryActionsProps) {
  const t = useTranslate();
  const locale = useLocale();
  const mounted = useMounted();
  const { downloads, pressed, state, download } = saving;
  return (
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
      {mounted && chosen > 0 && (
        <Button strength="plain" icon="images" onClick={() => void download(files)}>
          {t('photos.selected', { count: chosen })}
        </Button>
      )}
      {state !== undefined && (
        <DownloadState
          download={state}
          another={false}
          help={help}
          onCancel={() => void cancelDownload(fileKey(state.file))}
          onRetry={() => void download(pressed.filter((file) => isAgainOf(downloads.get(fileKey(file)))))}
        />
      )}
    </div>
  );
}

/** The combined state of several files: failures first, then pending ones, then started ones. */
function stateOf(downloads: readonly (Download | undefined)[]): Download | undefined {
  const known = downloads.filter((download) => download !== undefined);
  return (
    known.find(({ phase }) => phase === 'failed') ??
    known.find(({ phase }) => phase === 'preparing') ??
    known.find(({ arrival }) => arrival === 'broken') ??
    known.find((download) => !hasArrived(download)) ??
    known[0]
  );
}

/** The files of a retry: all that are neither saved nor in progress. */
const isAgainOf = (download: Download | undefined) =>
  download?.phase !== 'started' || download.arrival === 'broken' || download.arrival === 'late';

const phaseIcons: Readonly<Record<Download['phase'], IconName>> = {
  preparing: 'clock',
  started: 'download',
  failed: 'warning',
  cancelled: 'download',
};

const filesOf = ({ picture, motion }: Slide<RequestedFile>) =>
  [picture, motion].filter((file) => file !== null);

interface GallerySlideProps {
  slide: Slide<RequestedFile>;
  downloads: ReadonlyMap<string, Download>;
  chosen: boolean;
  onChoose(on: boolean): void;
  onDownload(file: RequestedFile): void;
}

function GallerySlide({ slide, downloads, chosen, onChoose, onDownload }: GallerySlideProps) {
  const t = useTranslate();
  const mounted = useMounted();
  const { number, picture, motion } = slide;
  const label = t('photos.select', { number });
  const shown = picture === null ? null : pictureOf(picture.option);
  return (
    <li className="gallery-picture">
      <label className="gallery-choice" htmlFor={mounted ? `choose-${number}` : undefined}>
        {mounted && (
          <input
            id={`choose-${number}`}
            type="checkbox"
            checked={chosen}
            aria-label={label}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
        <span className="gallery-frame">
          <PostPicture
            src={shown}
            sign={motion === null ? 'images' : 'film'}
            alt={label}
            width={picture?.option.width ?? 360}
            height={picture?.option.height ?? 480}
            loading="lazy"
          />
        </span>
      </label>
      <div className="gallery-downloads">
        {motion !== null && (
          <SlideDownload
            file={motion}
            name={t('option.motion', { number })}
            icon="film"
            download={downloads.get(fileKey(motion))}
            onDownload={onDownload}
          />
        )}
        {picture !== null && (
          <SlideDownload
            file={picture}
            name={t('option.jpg', { number })}
            icon="download"
            download={downloads.get(fileKey(picture))}
            onDownload={onDownload}
          />
        )}
      </div>
    </li>
  );
}

const pictureOf = (option: RequestedFile['option']) =>
  option.preview_url ?? (isElsewhere(option) ? null : option.href);

interface SlideDownloadProps {
  file: RequestedFile;
  name: string;
  icon: IconName;
  download: Download | undefined;
  onDownload(file: RequestedFile): void;
}

function SlideDownload({ file, name, icon, download, onDownload }: SlideDownloadProps) {
  const locale = useLocale();
  const hasCome = download !== undefined && hasArrived(download);
  return (
    <a
      className="icon-button gallery-download"
      href={inLanguage(file.option.href, locale)}
      aria-label={name}
      title={name}
      data-phase={hasCome ? 'saved' : download?.phase}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        onDownload(file);
      }}
    >
      <Icon
        name={
          hasCome
            ? 'check'
            : download === undefined || download.phase === 'cancelled'
              ? icon
              : phaseIcons[download.phase]
        }
      />
    </a>
  );
}
