import { Suspense, useEffect, useRef, useState } from 'react';
import {
  type Download,
  fileKey,
  hasArrived,
  type RequestedFile,
  useDownloads,
} from '../../../browser/downloads/downloads.ts';
import { inLanguage } from '../../../browser/downloads/file-requests.ts';
import { startDownload, startDownloads } from '../../../browser/downloads/start-download.ts';
import { useMounted } from '../../../browser/mounted.ts';
import { lazyPart } from '../../../browser/navigation/lazy-part.tsx';
import { onPlainClick } from '../../../browser/plain-click.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Button, type Strength } from '../../../ui/controls.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { filesOf, pictureOf, type RequestedSlide } from './choose-options.ts';
import { DownloadTrouble, describe, useAnnouncedDownload } from './download-state.tsx';
import { FileOption, OptionFace, optionLook } from './file-option.tsx';
import { PostPicture } from './post-picture.tsx';

type ChosenPhotos = ReturnType<typeof useChosenPhotos>;

/** A visitor's choice among a slideshow's pictures. */
export function useChosenPhotos(slides: readonly RequestedSlide[]) {
  const locale = useLocale();
  const downloads = useDownloads();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [pressed, setPressed] = useState<readonly RequestedFile[]>([]);
  const series = useRef<AbortController>(undefined);
  useEffect(() => () => series.current?.abort(), []);
  /** Saves one file at once, several one after another. */
  async function save(files: readonly RequestedFile[]): Promise<unknown> {
    setPressed(files);
    if (files.length === 1) return Promise.all(files.map((file) => startDownload(file, locale)));
    // A second press while they start one after another would begin the series again.
    if (series.current !== undefined) return;
    series.current = new AbortController();
    await startDownloads(files, locale, series.current.signal);
    series.current = undefined;
  }
  return {
    chosen,
    choose(numbers: readonly number[], on: boolean) {
      const next = new Set(chosen);
      for (const number of numbers)
        if (on) next.add(number);
        else next.delete(number);
      setChosen(next);
      setPressed([]);
    },
    /** The files of the chosen slides. */
    files: slides.filter(({ number }) => chosen.has(number)).flatMap(filesOf),
    /** Combined state of the last requested files; undefined before a press. */
    state: stateOf(pressed.map((file) => downloads.get(fileKey(file)))),
    save,
    /** Retries those that are neither saved nor in progress. */
    retry: () => void save(pressed.filter((file) => isAgainOf(downloads.get(fileKey(file))))),
  };
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

const isAgainOf = (download: Download | undefined) =>
  download?.phase !== 'started' || download.arrival === 'broken' || download.arrival === 'late';

interface PhotosOptionProps {
  slides: readonly RequestedSlide[];
  zip: RequestedFile | null;
  photos: ChosenPhotos;
  strength: Strength;
  onAnnounce(text: string): void;
}

/** The button that saves all or the chosen pictures: as a zip, or one picture by itself. */
export function PhotosOption({ slides, zip, photos, strength, onAnnounce }: PhotosOptionProps) {
  const t = useTranslate();
  const { files, state, chosen } = photos;
  useAnnouncedDownload(state === undefined ? null : describe(state, false, t), onAnnounce);
  const [first] = files;
  const [only, ...others] = slides.flatMap(filesOf);
  const isOne = only?.option.format === 'jpg' && others.length === 0;
  const whole = isOne ? only : zip;
  const words = isOne ? { name: t('photos.selected', { count: 1 }), remark: 'JPG' } : undefined;
  if (first === undefined)
    return (
      <>
        {whole !== null && (
          <FileOption file={whole} {...(words && { words })} strength={strength} onAnnounce={onAnnounce} />
        )}
        {state !== undefined && <DownloadTrouble download={state} onRetry={photos.retry} />}
      </>
    );
  const option = { ...first.option, format: 'jpg', bytes: null } as const;
  return (
    <div className="option">
      <button type="button" {...optionLook(option, strength, state)} onClick={() => void photos.save(files)}>
        <OptionFace option={option} download={state} another={false}>
          {t('photos.selected', { count: chosen.size })}
        </OptionFace>
      </button>
      {state !== undefined && <DownloadTrouble download={state} onRetry={photos.retry} />}
    </div>
  );
}

const viewer = lazyPart('viewer', async () => (await import('./photo-viewer.tsx')).PhotoViewer, null);

/** Pictures shown at first: three rows on a phone. */
const shownAtFirst = 6;

interface GalleryProps {
  slides: readonly RequestedSlide[];
  /** The post's number of slides, including unavailable ones. */
  count: number;
  photos: ChosenPhotos;
}

/** A slideshow's pictures, six at first: each can be chosen, and is enlarged by a press. */
export function Gallery({ slides, count, photos }: GalleryProps) {
  const t = useTranslate();
  const mounted = useMounted();
  const [isWhole, setWhole] = useState(false);
  const [viewed, setViewed] = useState<number | null>(null);
  const links = useRef<HTMLUListElement>(null);
  const { chosen, choose } = photos;
  return (
    <fieldset className="gallery">
      <legend>
        {slides.length < count
          ? t('photos.some', { shown: slides.length, count })
          : t('photos.title', { count })}
      </legend>
      {mounted && slides.length > 1 && (
        <label className="gallery-all">
          <input
            type="checkbox"
            checked={chosen.size === slides.length}
            onChange={({ currentTarget }) =>
              choose(
                slides.map(({ number }) => number),
                currentTarget.checked,
              )
            }
          />
          {t('photos.all')}
        </label>
      )}
      <ul ref={links} className={isWhole ? 'gallery-pictures' : 'gallery-pictures gallery-first'}>
        {slides.map((slide, at) => (
          <GallerySlide
            key={slide.number}
            slide={slide}
            photos={slides.length > 1 ? photos : null}
            onView={() => setViewed(at)}
          />
        ))}
      </ul>
      {!isWhole && slides.length > shownAtFirst && (
        <Button
          strength="plain"
          className="gallery-more"
          onClick={() => {
            setWhole(true);
            links.current?.querySelectorAll('a')[shownAtFirst]?.focus({ preventScroll: true });
          }}
        >
          {t('photos.more', { count: slides.length })}
        </Button>
      )}
      {viewed !== null && (
        <Suspense>
          <viewer.Part
            slides={slides}
            at={viewed}
            onMove={setViewed}
            onSave={(file) => void photos.save([file])}
            onClose={() => setViewed(null)}
          />
        </Suspense>
      )}
    </fieldset>
  );
}

interface GallerySlideProps {
  slide: RequestedSlide;
  /** Null where there is nothing to choose from. */
  photos: ChosenPhotos | null;
  onView(): void;
}

function GallerySlide({ slide, photos, onView }: GallerySlideProps) {
  const t = useTranslate();
  const locale = useLocale();
  const mounted = useMounted();
  const { number, picture, motion } = slide;
  const label = t('photos.select', { number });
  const file = picture ?? motion;
  return (
    <li className="gallery-picture">
      {file !== null && (
        <a
          className="gallery-frame"
          href={inLanguage(file.option.href, locale)}
          aria-label={mounted ? label : t(picture === null ? 'option.motion' : 'option.jpg', { number })}
          onClick={onPlainClick(onView)}
        >
          <PostPicture
            src={picture === null ? null : pictureOf(picture.option)}
            sign={motion === null ? 'images' : 'film'}
            alt=""
            width={picture?.option.width ?? 360}
            height={picture?.option.height ?? 480}
            loading="lazy"
          />
        </a>
      )}
      {mounted
        ? photos !== null && (
            <input
              type="checkbox"
              checked={photos.chosen.has(number)}
              aria-label={label}
              onChange={({ currentTarget }) => photos.choose([number], currentTarget.checked)}
            />
          )
        : picture !== null &&
          motion !== null && (
            <a
              className="icon-button gallery-motion"
              href={inLanguage(motion.option.href, locale)}
              aria-label={t('option.motion', { number })}
            >
              <Icon name="film" />
            </a>
          )}
      <SlideState files={filesOf(slide)} />
    </li>
  );
}

/** The state of a slide's files, as an icon on the slide. */
function SlideState({ files }: { files: readonly RequestedFile[] }) {
  const downloads = useDownloads();
  const state = stateOf(files.map((file) => downloads.get(fileKey(file))));
  if (state === undefined || state.phase === 'cancelled') return null;
  const phase = hasArrived(state) ? 'saved' : state.phase;
  const signs: Readonly<Record<typeof phase, IconName>> = {
    saved: 'check',
    preparing: 'clock',
    started: 'download',
    failed: 'warning',
  };
  return (
    <span className="gallery-state" data-phase={phase}>
      <Icon name={signs[phase]} />
    </span>
  );
}
