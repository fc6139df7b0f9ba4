import { type Ref, useEffect, useId, useRef, useState } from 'react';
import type { DownloadOption, ResolveResult } from '../../../api.ts';
import { useDevice } from '../../../browser/device/device.ts';
import { forgetDownloadsOf } from '../../../browser/downloads/start-download.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Button, Isolated, VisuallyHidden } from '../../../ui/controls.tsx';
import { Card } from '../../../ui/surfaces.tsx';
import { chooseOptions, lacksHd, type OtherPage } from '../files/choose-options.ts';
import type { FileHelp } from '../files/file-help.ts';
import { FileOption } from '../files/file-option.tsx';
import { Gallery } from '../files/gallery.tsx';
import { PostPicture } from '../files/post-picture.tsx';
import { formatLength, isoDuration } from '../files/sizes.ts';
import { AnotherLink } from './another-link.tsx';
import { OtherPageNotice } from './other-page.tsx';
import { type ResultPartProps, ResultParts } from './result-parts.tsx';
import { ThinNotice } from './thin-notice.tsx';

export interface ResultProps {
  result: ResolveResult;
  buttons: readonly DownloadButton[];
  others: readonly OtherPage[];
  help: FileHelp;
  anotherHref: string;
  heading: Ref<HTMLHeadingElement>;
  onAnother(): void;
  /** Looks for what the platform left out. @returns whether there was more */
  onLookAgain(): Promise<boolean>;
  onAnnounce(text: string): void;
}

/** A found post: its description and its files. */
export function Result({ result, buttons, others, heading, onAnnounce, ...rest }: ResultProps) {
  const { post } = result;
  const help = rest.help[useDevice()] ?? null;
  const parts = { result, buttons, others, help, onAnnounce };
  useEffect(() => () => forgetDownloadsOf(post.id), [post.id]);
  return (
    <Card className="result">
      <div className="result-post">
        <Cover {...parts} />
        <About post={post} heading={heading} />
      </div>
      <div className="result-options">
        <Files {...parts} />
        {lacksHd(result) && buttons.includes('mp4-hd') && (
          <ThinNotice
            url={post.url}
            action={rest.anotherHref}
            onLookAgain={rest.onLookAgain}
            onAnnounce={onAnnounce}
          />
        )}
        <AnotherLink href={rest.anotherHref} onAnother={rest.onAnother} />
      </div>
      <ResultParts place="details" {...parts} />
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

/** Who published the post, what the post says, and the name of its sound. */
function About({ post, heading }: { post: ResolveResult['post']; heading: Ref<HTMLHeadingElement> }) {
  const t = useTranslate();
  return (
    <div className="result-about">
      <h2 className="result-author" ref={heading} tabIndex={-1}>
        <Isolated>{post.author.name || post.author.handle}</Isolated>
        {post.author.handle !== '' && (
          <span className="result-handle">
            {' '}
            <Isolated>@{post.author.handle}</Isolated>
          </span>
        )}
      </h2>
      {post.title !== '' && <PostText text={post.title} />}
      {post.sound != null && <p className="result-sound">{t('result.sound', post.sound)}</p>}
    </div>
  );
}

/** The files that the page offers, and the features' parts among them. */
function Files(parts: ResultPartProps) {
  const t = useTranslate();
  const { result, buttons, others, help, onAnnounce } = parts;
  const { post } = result;
  const { files, slides, zip, slideshow } = chooseOptions(result.options, buttons);
  const requested = (option: DownloadOption) => ({ post, option });
  return (
    <>
      <h3 className="visually-hidden">{t('result.options')}</h3>
      <OtherPageNotice result={result} buttons={buttons} others={others} />
      {slides.length > 0 && (
        <Gallery
          slides={slides.map(({ number, picture, motion }) => ({
            number,
            picture: picture && requested(picture),
            motion: motion && requested(motion),
          }))}
          count={post.slides ?? slides.length}
          zip={zip === null ? null : requested(zip)}
          help={help}
          onAnnounce={onAnnounce}
        />
      )}
      {slideshow !== null && (
        <FileOption file={requested(slideshow)} help={help} strength="plain" onAnnounce={onAnnounce} />
      )}
      <ResultParts place="pictures" {...parts} />
      {files.map((option, at) => (
        <FileOption
          key={option.href}
          file={requested(option)}
          help={help}
          strength={at === 0 && slides.length === 0 ? 'action' : 'plain'}
          onAnnounce={onAnnounce}
        />
      ))}
      <ResultParts place="files" {...parts} />
    </>
  );
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
        className={open ? 'result-text' : 'result-text result-text-clamped'}
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
