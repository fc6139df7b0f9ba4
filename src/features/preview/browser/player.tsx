import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { DownloadOption } from '../../../site/api.ts';
import { useErrorFocus } from '../../../site/browser/focus.ts';
import { Ends, Handle } from '../../../site/pages/tool/scrubber/handle.tsx';
import { useIsPartTaken, usePart } from '../../../site/pages/tool/scrubber/part.ts';
import { line, usePlayed, useWaveform, Wave } from '../../../site/pages/tool/scrubber/wave.tsx';
import { writeTime } from '../../../site/time-text.ts';
import { useTranslate } from '../../../site/translation.tsx';
import { IconButton } from '../../../site/ui/controls.tsx';

interface PlayerProps {
  /** Id of its post. */
  post: string;
  file: DownloadOption;
  /** As far as known before it is loaded. */
  durationS: number;
  /** The cover, which the video replaces. */
  poster: string | null;
  onClose(): void;
}

/** A player's step by an arrow key, in ms. */
const arrowMs = 5000;

/**
 * A player that starts at once and with its sound: the visitor has just pressed play. Where the browser refuses sound, it
 * starts muted. It looks and works as the one that cuts; all that browsers' own players have besides is in their full
 * screen. Escape closes it.
 */
export function Player({ post, file, durationS, poster, onClose }: PlayerProps) {
  const t = useTranslate<'preview'>();
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const playButton = useRef<HTMLButtonElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const [isPlaying, setPlaying] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [lengthMs, setLengthMs] = useState(durationS * 1000);
  const [atMs, setAtMs] = useState(0);
  const isVideo = file.format === 'mp4';
  const src = `${file.href}/preview`;
  // A video's waveform would take its sound once more.
  const path = useWaveform(isVideo ? null : src, lengthMs, () => {});
  usePlayed(
    media,
    isPlaying,
    useCallback((ms) => ms !== null && setAtMs(ms), []),
  );
  useEffect(() => {
    const { current } = media;
    playButton.current?.focus({ preventScroll: true });
    current?.play().catch((refused: DOMException) => {
      if (refused.name !== 'NotAllowedError') return;
      current.muted = true;
      // The button starts a file that does not play even then.
      current.play().catch(() => {});
    });
  }, []);
  const toggle = () => (isPlaying ? media.current?.pause() : void media.current?.play().catch(() => {}));
  const seek = (ms: number) => {
    setAtMs(ms);
    if (media.current !== null) media.current.currentTime = ms / 1000;
  };
  const hasEnds = useIsPartTaken();
  const part = usePart(post, lengthMs);
  /** Shows the picture at the end that is moved. */
  const chooseEnds = (fromMs: number, toMs: number) => {
    seek(fromMs === part.fromMs ? toMs : fromMs);
    part.choose(fromMs, toMs);
  };
  const highlighted = part.isWhole ? { fromMs: 0, toMs: atMs } : part;
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    if (key === 'Escape') onClose();
    // Buttons are pressed by it.
    if (key === ' ' && target instanceof HTMLInputElement) toggle();
  };
  const own = {
    ...{ ref: media, src },
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onVolumeChange: () => setMuted(media.current?.muted === true),
    onSeeked: () => setAtMs((media.current?.currentTime ?? 0) * 1000),
    onDurationChange: () => {
      const { duration = Number.NaN } = media.current ?? {};
      if (Number.isFinite(duration) && duration > 0) setLengthMs(duration * 1000);
    },
    onError: () => setFailed(true),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same
    <div className={isVideo ? 'preview preview-video' : 'preview'} onKeyDown={onKeyDown}>
      {hasFailed ? (
        <Failed />
      ) : (
        <>
          {isVideo ? (
            <video
              {...own}
              playsInline
              poster={poster ?? undefined}
              width={file.width ?? undefined}
              height={file.height ?? undefined}
              aria-label={t('preview.watch')}
              onClick={toggle}
            />
          ) : (
            <audio {...own} aria-label={t('preview.listen')} />
          )}
          <div className="preview-controls">
            <Wave path={isVideo ? line : path} {...{ lengthMs, ...highlighted, playedMs: null }}>
              <Handle
                label={t('preview.position')}
                className="scrubber-position"
                ms={Math.min(atMs, lengthMs)}
                {...{ lengthMs, arrowMs }}
                onChange={seek}
              />
              {hasEnds && <Ends {...{ lengthMs, part: { ...part, choose: chooseEnds } }} />}
            </Wave>
            <div className="scrubber-foot" dir="ltr">
              <IconButton
                ref={playButton}
                icon={isPlaying ? 'pause' : 'play'}
                label={t(isPlaying ? 'preview.pause' : 'preview.play')}
                onClick={toggle}
              />
              <span className="preview-time">
                {writeTime(atMs, 0)} / {writeTime(lengthMs, 0)}
              </span>
              <IconButton
                icon={isMuted ? 'muted' : 'sound'}
                label={t(isMuted ? 'preview.unmute' : 'preview.mute')}
                onClick={() => {
                  if (media.current !== null) media.current.muted = !isMuted;
                }}
              />
              {isVideo && (
                <IconButton
                  icon="full-screen"
                  label={t('preview.full-screen')}
                  onClick={() => media.current !== null && fillScreen(media.current)}
                />
              )}
            </div>
          </div>
        </>
      )}
      <IconButton icon="close" className="preview-close" label={t('preview.close')} onClick={onClose} />
    </div>
  );
}

/** On iPhones videos alone fill the screen, by a name of their own. */
interface ApplesVideo {
  webkitEnterFullscreen?(): void;
}

/** Shows a video on the whole screen, with the browser's own controls for as long. */
function fillScreen(video: HTMLVideoElement & ApplesVideo): void {
  if (!('requestFullscreen' in video)) {
    (video as ApplesVideo).webkitEnterFullscreen?.();
    return;
  }
  video.controls = true;
  const leave = () => {
    if (document.fullscreenElement === video) return;
    video.controls = false;
    video.removeEventListener('fullscreenchange', leave);
  };
  video.addEventListener('fullscreenchange', leave);
  video.requestFullscreen().catch(leave);
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
