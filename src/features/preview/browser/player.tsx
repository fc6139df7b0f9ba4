import { useEffect, useRef, useState } from 'react';
import type { DownloadOption } from '../../../site/api.ts';
import { useErrorFocus } from '../../../site/browser/error-focus.ts';
import { useTranslate } from '../../../site/translation.tsx';
import { IconButton } from '../../../site/ui/controls.tsx';

interface PlayerProps {
  file: DownloadOption;
  /** The cover, which the video replaces. */
  poster: string | null;
  onClose(): void;
}

/**
 * The browser's own player, which starts at once and with its sound: the visitor has just pressed play. Where the
 * browser refuses sound, it starts muted. Escape closes it.
 */
export function Player({ file, poster, onClose }: PlayerProps) {
  const t = useTranslate<'preview'>();
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const { current } = media;
    current?.focus({ preventScroll: true });
    current?.play().catch((refused: DOMException) => {
      if (refused.name !== 'NotAllowedError') return;
      current.muted = true;
      // The visitor can still start it by its own controls.
      current.play().catch(() => {});
    });
  }, []);
  const isVideo = file.format === 'mp4';
  const own = {
    ref: media,
    src: `${file.href}/preview`,
    controls: true,
    onError: () => setFailed(true),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={isVideo ? 'preview preview-video' : 'preview'}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      {hasFailed ? (
        <Failed />
      ) : isVideo ? (
        <video
          {...own}
          playsInline
          poster={poster ?? undefined}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          aria-label={t('preview.watch')}
        />
      ) : (
        <audio {...own} aria-label={t('preview.listen')} />
      )}
      <IconButton icon="close" className="preview-close" label={t('preview.close')} onClick={onClose} />
    </div>
  );
}

function Failed() {
  const t = useTranslate<'preview'>();
  const message = useErrorFocus<HTMLParagraphElement>();
  return (
    <p ref={message} role="alert" tabIndex={-1}>
      {t('preview.failed')}
    </p>
  );
}
