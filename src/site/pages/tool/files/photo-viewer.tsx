import { type CSSProperties, useEffect, useRef } from 'react';
import type { RequestedFile } from '../../../browser/downloads/downloads.ts';
import { inLanguage } from '../../../browser/downloads/file-requests.ts';
import { onPlainClick } from '../../../browser/plain-click.ts';
import { useSwipe } from '../../../overlays/swipe.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { IconButton, LinkButton } from '../../../ui/controls.tsx';
import { filesOf, pictureOf, type RequestedSlide } from './choose-options.ts';
import styles from './photo-viewer.css?url';
import { PostPicture } from './post-picture.tsx';

interface PhotoViewerProps {
  slides: readonly RequestedSlide[];
  /** The position of the shown one. */
  at: number;
  onMove(at: number): void;
  onSave(file: RequestedFile): void;
  onClose(): void;
}

/** One picture over the whole window; the next ones by a swipe, an arrow key or a button. */
export function PhotoViewer({ slides, at, onMove, onSave, onClose }: PhotoViewerProps) {
  const t = useTranslate();
  const locale = useLocale();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const move = (by: number) => slides[at + by] !== undefined && onMove(at + by);
  // Next and previous follow the direction of the text.
  const way = () => (dialog.current?.matches(':dir(rtl)') === true ? -1 : 1);
  const { offset, handlers } = useSwipe((direction) => move(-direction * way()));
  const slide = slides[at];
  if (slide === undefined) return null;
  const label = t('photos.select', { number: slide.number });
  const turn = (by: 1 | -1) => {
    const next = slides[at + by];
    return (
      next !== undefined && (
        <IconButton
          icon="arrow"
          className={by === 1 ? 'viewer-next' : 'viewer-previous'}
          label={t('photos.select', { number: next.number })}
          onClick={() => move(by)}
        />
      )
    );
  };
  return (
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={label}
      onClose={onClose}
      onKeyDown={({ key }) => {
        if (key === 'ArrowRight') move(way());
        if (key === 'ArrowLeft') move(-way());
      }}
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      <div className="viewer-picture" style={{ '--offset': `${offset}px` } as CSSProperties} {...handlers}>
        <PostPicture
          key={slide.number}
          src={slide.picture === null ? null : pictureOf(slide.picture.option)}
          sign={slide.motion === null ? 'images' : 'film'}
          alt={label}
          draggable={false}
        />
      </div>
      {turn(-1)}
      {turn(1)}
      <IconButton
        icon="close"
        className="viewer-close"
        label={t('conversion.dismiss')}
        onClick={() => dialog.current?.close()}
      />
      <div className="viewer-files">
        {filesOf(slide).map((file) => (
          <LinkButton
            key={file.option.id}
            strength="action"
            icon={file === slide.motion ? 'film' : 'download'}
            href={inLanguage(file.option.href, locale)}
            onClick={onPlainClick(() => {
              onSave(file);
              dialog.current?.close();
            })}
          >
            {t(file === slide.motion ? 'option.motion' : 'option.jpg', { number: slide.number })}
          </LinkButton>
        ))}
      </div>
    </dialog>
  );
}
