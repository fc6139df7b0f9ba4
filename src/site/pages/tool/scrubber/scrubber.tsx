import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { languages } from '../../../../i18n/languages.ts';
import type { DownloadOption } from '../../../api.ts';
import { isSavingData } from '../../../browser/navigation/prefetch.ts';
import { writeTime } from '../../../time-text.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Outline } from '../../../ui/icon.tsx';
import './scrubber.css';
import { barCount, readWaveform } from './peaks.ts';

export interface ScrubberProps {
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

/** Times below the waveform, as shares of the whole. */
const marks = [0, 0.25, 0.5, 0.75, 1];

/**
 * The position of a part in the whole: a waveform with two handles, its times, and its sound. Time runs from left to right
 * in every language. Its texts are the catalogue page `cut`.
 */
export function Scrubber({ sound, lengthMs, fromMs, toMs, onLength, onFrom, onTo }: ScrubberProps) {
  const t = useTranslate<'cut'>();
  const path = useWaveform(sound, lengthMs, onLength);
  const [playedMs, setPlayedMs] = useState<number | null>(null);
  const place = (ms: number) => `${(100 * ms) / lengthMs}%`;
  const handle = (name: 'from' | 'to', ms: number, onChange: (ms: number) => void) => (
    <input
      type="range"
      className="scrubber-handle"
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
        className="scrubber"
        dir="ltr"
        style={{ '--from': place(fromMs), '--to': place(toMs) } as CSSProperties}
      >
        <svg viewBox={`0 0 ${barCount} ${heightOfBars}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={path} />
        </svg>
        <svg
          className="scrubber-selected"
          viewBox={`0 0 ${barCount} ${heightOfBars}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={path} />
        </svg>
        {playedMs !== null && (
          <span className="scrubber-playhead" style={{ '--at': playedMs / lengthMs } as CSSProperties} />
        )}
        {handle('from', fromMs, (ms) => onFrom(Math.min(ms, toMs - stepMs)))}
        {handle('to', toMs, (ms) => onTo(Math.max(ms, fromMs + stepMs)))}
      </div>
      <div className="scrubber-times" dir="ltr" aria-hidden="true">
        {marks.map((share) => (
          <span key={share}>{writeTime(lengthMs * share, 0)}</span>
        ))}
      </div>
      <div className="scrubber-foot" dir="ltr">
        {sound !== null && (
          <PlayButton href={sound.href} fromMs={fromMs} toMs={toMs} onPlayed={setPlayedMs} />
        )}
        <PartLength fromMs={fromMs} toMs={toMs} />
      </div>
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

/** Where a part begins and ends, and how long it is. */
function PartLength({ fromMs, toMs }: { fromMs: number; toMs: number }) {
  const { intl } = languages[useLocale()];
  const seconds = new Intl.NumberFormat(intl, {
    ...{ style: 'unit', unit: 'second', unitDisplay: 'narrow', maximumFractionDigits: 1 },
  });
  return (
    <span>
      {writeTime(fromMs)} – {writeTime(toMs)} · <bdi>{seconds.format((toMs - fromMs) / 1000)}</bdi>
    </span>
  );
}

const outlines = { play: 'M7.5 4.5v15l12-7.5z', stop: 'M6 6h12v12H6z' };

interface PlayButtonProps {
  href: string;
  fromMs: number;
  toMs: number;
  /** Told where the sound is; null while it rests. */
  onPlayed(ms: number | null): void;
}

/** Plays the part and stops at its end. */
function PlayButton({ href, fromMs, toMs, onPlayed }: PlayButtonProps) {
  const t = useTranslate<'cut'>();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function follow() {
      const { current } = audio;
      if (current === null) return;
      if (current.currentTime >= toMs / 1000) current.pause();
      onPlayed(Math.min(toMs, current.currentTime * 1000));
      frame = requestAnimationFrame(follow);
    });
    return () => {
      cancelAnimationFrame(frame);
      onPlayed(null);
    };
  }, [isPlaying, toMs, onPlayed]);
  return (
    <>
      <button
        type="button"
        className="button button-quiet"
        onClick={() => {
          const { current } = audio;
          if (current === null) return;
          if (isPlaying) return current.pause();
          current.currentTime = fromMs / 1000;
          // Unplayable sound stays silent, and the button shows it.
          current.play().catch(() => setPlaying(false));
        }}
      >
        <Outline path={outlines[isPlaying ? 'stop' : 'play']} />
        <span>{t(isPlaying ? 'cut.stop' : 'cut.play')}</span>
      </button>
      {/* biome-ignore lint/a11y/useMediaCaption: a sound without words that were written down */}
      <audio
        ref={audio}
        src={href}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        // In a tab behind another one there are no frames.
        onTimeUpdate={({ currentTarget }) =>
          currentTarget.currentTime >= toMs / 1000 && currentTarget.pause()
        }
      />
    </>
  );
}
