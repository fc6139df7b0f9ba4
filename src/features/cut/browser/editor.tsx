import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { writeTime } from '../../../downloader/cutting/time-text.ts';
import type { DownloadOption } from '../../../site/api.ts';
import { isSavingData } from '../../../site/browser/navigation/prefetch.ts';
import { useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import './editor.css';
import { barCount, readWaveform } from './peaks.ts';

export interface EditorProps {
  /** The drawn and played sound; null for none. */
  sound: DownloadOption | null;
  lengthMs: number;
  fromMs: number;
  toMs: number;
  /** Called with the exact length once it is known. */
  onLength(ms: number): void;
  onFrom(ms: number): void;
  onTo(ms: number): void;
}

/** Steps of a handle in ms: by an arrow key, by a page key, and by that with Shift. */
const stepMs = 100;
const pageMs = 1000;
const longPageMs = 5000;
const heightOfBars = 100;

/**
 * The position of a part in the whole: a waveform with two handles, and its sound. Time runs from left to right in
 * every language.
 */
export function Editor({ sound, lengthMs, fromMs, toMs, onLength, onFrom, onTo }: EditorProps) {
  const t = useTranslate<'cut'>();
  const path = useWaveform(sound, lengthMs, onLength);
  const place = (ms: number) => `${(100 * ms) / lengthMs}%`;
  const handle = (name: 'from' | 'to', ms: number, onChange: (ms: number) => void) => (
    <input
      type="range"
      className="cut-handle"
      aria-label={t(`cut.${name}`)}
      aria-valuetext={writeTime(ms)}
      min={0}
      max={lengthMs}
      step={stepMs}
      value={ms}
      onChange={({ target }) => onChange(Number(target.value))}
      onKeyDown={(event) => turnPage(event, (by) => onChange(Math.min(lengthMs, Math.max(0, ms + by))))}
    />
  );
  return (
    <>
      <div
        className="cut-timeline"
        dir="ltr"
        style={{ '--from': place(fromMs), '--to': place(toMs) } as CSSProperties}
      >
        <svg viewBox={`0 0 ${barCount} ${heightOfBars}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={path} />
        </svg>
        <svg
          className="cut-selected"
          viewBox={`0 0 ${barCount} ${heightOfBars}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
        {handle('from', fromMs, (ms) => onFrom(Math.min(ms, toMs - stepMs)))}
        {handle('to', toMs, (ms) => onTo(Math.max(ms, fromMs + stepMs)))}
      </div>
      {sound !== null && <PlayButton href={sound.href} fromMs={fromMs} toMs={toMs} />}
    </>
  );
}

function turnPage(event: KeyboardEvent, move: (byMs: number) => void): void {
  const direction = { PageUp: 1, PageDown: -1 }[event.key];
  if (direction === undefined) return;
  event.preventDefault();
  move(direction * (event.shiftKey ? longPageMs : pageMs));
}

const flat = barsOf(Array.from({ length: barCount }, () => 0));

/** The outline of a waveform: flat until it is loaded, and when there is none. */
function useWaveform(sound: DownloadOption | null, lengthMs: number, onLength: (ms: number) => void): string {
  const [path, setPath] = useState(flat);
  const onLengthRef = useRef(onLength);
  onLengthRef.current = onLength;
  const href = sound?.href;
  const durationS = useRef(lengthMs / 1000);
  useEffect(() => {
    if (href === undefined || isSavingData()) return;
    const abort = new AbortController();
    readWaveform(href, durationS.current, abort.signal).then(
      (waveform) => {
        if (waveform === null || abort.signal.aborted) return;
        setPath(barsOf(waveform.peaks));
        onLengthRef.current(waveform.lengthMs);
      },
      (error: unknown) => {
        // Handles and fields work without it.
        if (!abort.signal.aborted) console.error(error);
      },
    );
    return () => abort.abort();
  }, [href]);
  return path;
}

function barsOf(peaks: readonly number[]): string {
  return peaks
    .map((peak, bar) => {
      const half = Math.max(2, (peak * heightOfBars) / 2);
      return `M${bar + 0.5} ${(heightOfBars / 2 - half).toFixed(1)}v${(2 * half).toFixed(1)}`;
    })
    .join('');
}

/** Plays the part and stops at its end. */
function PlayButton({ href, fromMs, toMs }: { href: string; fromMs: number; toMs: number }) {
  const t = useTranslate<'cut'>();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  return (
    <>
      <Button
        strength="quiet"
        icon={isPlaying ? 'close' : 'play'}
        onClick={() => {
          const { current } = audio;
          if (current === null) return;
          if (isPlaying) return current.pause();
          current.currentTime = fromMs / 1000;
          // Unplayable sound stays silent, and the button shows it.
          current.play().catch(() => setPlaying(false));
        }}
      >
        {t(isPlaying ? 'cut.stop' : 'cut.play')}
      </Button>
      {/* biome-ignore lint/a11y/useMediaCaption: a sound without words that were written down */}
      <audio
        ref={audio}
        src={href}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) =>
          currentTarget.currentTime >= toMs / 1000 && currentTarget.pause()
        }
      />
    </>
  );
}
