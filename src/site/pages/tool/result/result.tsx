import { type Ref, useEffect, useId, useRef, useState } from 'react';
import type { DownloadOption, ResolveResult } from '../../../api.ts';
import { useDevice } from '../../../browser/device/device.ts';
import { presentStart, useStart } from '../../../browser/device/one-tap.ts';
import { forgetDownloadsOf, startDownload } from '../../../browser/downloads/start-download.ts';
import { useMounted } from '../../../browser/mounted.ts';
import { sharesFiles } from '../../../browser/sharing.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Button, VisuallyHidden } from '../../../ui/controls.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import {
  chooseOptions,
  filesOf,
  lacksHd,
  type OtherPage,
  type RequestedSlide,
} from '../files/choose-options.ts';
import { FileOption } from '../files/file-option.tsx';
import { Gallery, PhotosOption, useChosenPhotos } from '../files/gallery.tsx';
import { PostPicture } from '../files/post-picture.tsx';
import { formatLength, isoDuration } from '../files/sizes.ts';
import type { FileHelp } from '../loader.ts';
import { AfterSave } from './after-save.tsx';
import { OtherPageNotice } from './other-page.tsx';
import { type ResultPartProps, ResultParts } from './result-parts.tsx';
import { AnotherLink } from './result-rows.tsx';
import { ThinNotice } from './thin-notice.tsx';

export interface ResultProps {
  result: ResolveResult;
  /** Whether the visitor has just asked for it: the chosen file is saved at once. */
  isAsked: boolean;
  buttons: readonly DownloadButton[];
  others: readonly OtherPage[];
  help: FileHelp;
  anotherHref: string;
  heading: Ref<HTMLHeadingElement>;
  onAnother(): void;
  /**
   * Reads a thin post again.
   * @returns whether there was more
   */
  onLookAgain(): Promise<boolean>;
  onAnnounce(text: string): void;
}

/** A found post: who made it and what it says, its cover, its files, and a list of what else there is. */
export function Result({ result, buttons, others, heading, onAnnounce, ...rest }: ResultProps) {
  const { post, options } = result;
  const locale = useLocale();
  const help = rest.help[useDevice()] ?? null;
  const chosen = chooseOptions(options, buttons);
  const requested = (option: DownloadOption) => ({ post, option });
  const slides: readonly RequestedSlide[] = chosen.slides.map(({ number, picture, motion }) => ({
    number,
    picture: picture && requested(picture),
    motion: motion && requested(motion),
  }));
  const photos = useChosenPhotos(slides);
  const pictures = photos.files.length > 0 ? photos.files : slides.flatMap(filesOf);
  const parts = { result, buttons, others, pictures, onAnnounce };
  useEffect(() => () => forgetDownloadsOf(post.id), [post.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each post
  useEffect(() => {
    const start = rest.isAsked ? presentStart() : null;
    const option = start === 'photos' ? chosen.zip : chosen.files.find(({ id }) => id === start);
    if (option != null) void startDownload({ post, option }, locale);
  }, []);
  return (
    <Card className="result">
      <About parts={parts} heading={heading} />
      <Cover {...parts} />
      <div className="result-options">
        <Files parts={parts} chosen={chosen} slides={slides} photos={photos} />
        {lacksHd(result) && buttons.includes('mp4-hd') && (
          <ThinNotice
            url={post.url}
            action={rest.anotherHref}
            onLookAgain={rest.onLookAgain}
            onAnnounce={onAnnounce}
          />
        )}
        <AfterSave parts={parts} help={help} />
        {slides.length > 0 && (
          <Gallery slides={slides} count={post.slides ?? slides.length} photos={photos} />
        )}
        <div className="result-list">
          <ResultParts place="more" {...parts} />
          <AnotherLink href={rest.anotherHref} onAnother={rest.onAnother} />
        </div>
      </div>
    </Card>
  );
}

/** The post's picture, with its length. */
function Cover(parts: ResultPartProps) {
  const t = useTranslate();
  const locale = useLocale();
  const { post } = parts.result;
  return (
    <div className="result-cover">
      <PostPicture
        src={post.cover_url}
        sign={post.kind === 'photos' ? 'images' : 'film'}
        alt=""
        width={360}
        height={640}
      />
      {post.duration_s > 0 && (
        <time className="result-length" dateTime={isoDuration(post.duration_s)}>
          <VisuallyHidden>{t('result.length')} </VisuallyHidden>
          {formatLength(post.duration_s, locale)}
        </time>
      )}
      <ResultParts place="cover" {...parts} />
    </div>
  );
}

/** Who published the post and when, what the post says, and the name of its sound. */
function About({ parts, heading }: { parts: ResultPartProps; heading: Ref<HTMLHeadingElement> }) {
  const t = useTranslate();
  const { post } = parts.result;
  return (
    <div className="result-about">
      <h2 className="result-author" ref={heading} tabIndex={-1}>
        <bdi>{post.author.name || post.author.handle}</bdi>
        {post.author.handle !== '' && (
          <span className="result-handle">
            {' '}
            <bdi>@{post.author.handle}</bdi>
          </span>
        )}
      </h2>
      <ResultParts place="about" {...parts} />
      {post.title !== '' && <PostText text={post.title} />}
      {post.sound != null && <p className="result-sound">{t('result.sound', post.sound)}</p>}
    </div>
  );
}

interface FilesProps {
  parts: ResultPartProps;
  chosen: ReturnType<typeof chooseOptions>;
  slides: readonly RequestedSlide[];
  photos: ReturnType<typeof useChosenPhotos>;
}

/** The files that the page offers. One of them is the strong action, unless the share sheet takes its place. */
function Files({ parts, chosen: { files, zip, slideshow }, slides, photos }: FilesProps) {
  const t = useTranslate();
  const { result, buttons, others, onAnnounce } = parts;
  const { post } = result;
  const start = useStart();
  const isShared = useSavesToPhotos(slides.length > 0 ? 'jpg' : (files[0]?.format ?? 'zip'));
  const hasPhotos = slides.length > 0;
  const strongId = files.find(({ id }) => id === start)?.id ?? (hasPhotos ? 'zip' : files[0]?.id);
  const strength = (id: string) => (id === strongId && !isShared ? 'action' : 'plain');
  return (
    <>
      <h3 className="visually-hidden">{t('result.options')}</h3>
      <OtherPageNotice result={result} buttons={buttons} others={others} />
      <ResultParts place="first" {...parts} />
      {hasPhotos && (
        <PhotosOption
          slides={slides}
          zip={zip && { post, option: zip }}
          photos={photos}
          strength={strength('zip')}
          onAnnounce={onAnnounce}
        />
      )}
      {slideshow !== null && (
        <FileOption file={{ post, option: slideshow }} strength="plain" onAnnounce={onAnnounce} />
      )}
      <ResultParts place="pictures" {...parts} />
      {files.map((option) => (
        <FileOption
          key={option.href}
          file={{ post, option }}
          strength={strength(option.id)}
          onAnnounce={onAnnounce}
        />
      ))}
      <ResultParts place="files" {...parts} />
    </>
  );
}

/** Whether this is a phone whose share sheet takes such files, and so saves them to Photos. */
function useSavesToPhotos(format: DownloadOption['format']): boolean {
  const isPhone = useDevice() !== 'computer';
  return useMounted() && isPhone && (format === 'jpg' || format === 'mp4') && sharesFiles(format);
}

/** The author's text, three lines of it at first. */
function PostText({ text }: { text: string }) {
  const t = useTranslate();
  const id = useId();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);

  useEffect(() => {
    const element = paragraph.current;
    // An expanded text does not need the measurement.
    if (element === null || open) return;
    const observer = new ResizeObserver(() => setLong(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, [open]);

  return (
    <>
      <p
        ref={paragraph}
        id={id}
        className={`result-text author-text ${open ? '' : 'result-text-clamped'}`}
        dir="auto"
      >
        {text}
      </p>
      {long && (
        <Button
          strength="quiet"
          className="result-more"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'result.less' : 'result.more')}
        </Button>
      )}
    </>
  );
}
