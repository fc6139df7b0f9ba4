import { useEffect, useRef, useState } from 'react';
import type { DownloadOption } from '../../../web/api.ts';
import { useTranslate } from '../../../web/translation.tsx';
import { IconButton } from '../../../web/ui/controls.tsx';

interface PlayerProps {
  file: DownloadOption;
  /** The cover, in whose place a video plays. */
  poster: string | null;
  onClose(): void;
}

/**
 * The browser's own player, which begins to play: somebody has just asked for it. A video begins without its sound, as
 * one may be among people.
 */
export function Player({ file, poster, onClose }: PlayerProps) {
  const t = useTranslate<'preview'>();
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => media.current?.focus({ preventScroll: true }), []);
  const isVideo = file.format === 'mp4';
  const own = {
    ref: media,
    src: `${file.href}/preview`,
    controls: true,
    autoPlay: true,
    onError: () => setFailed(true),
  };
  return (
    <div className={isVideo ? 'preview preview-video' : 'preview'}>
      {hasFailed ? (
        <p role="alert">{t('preview.failed')}</p>
      ) : isVideo ? (
        <video
          {...own}
          muted
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
