import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { isSavingData } from '../../../browser/navigation/prefetch.ts';
import { writeTime } from '../../../time-text.ts';
import './scrubber.css';

/** Bars of a waveform. */
const barCount = 160;

const heightOfBars = 100;
/** Times below the waveform, as shares of the whole. */
const marks = [0, 0.25, 0.5, 0.75, 1];
/** Below this length, marks show fractions of a second. */
const shortMs = 20_000;

interface WaveProps {
  /** Outline of the waveform. */
  path: string;
  lengthMs: number;
  /** The highlighted part. */
  fromMs: number;
  toMs: number;
  /** Playback position; null when nothing plays. */
  playedMs: number | null;
  /** Handles. */
  children: ReactNode;
}

/** A waveform with its times, a playhead and handles. Time runs from left to right in every language. */
export function Wave({ path, lengthMs, fromMs, toMs, playedMs, children }: WaveProps) {
  const place = (ms: number) => `${(100 * ms) / lengthMs}%`;
  const bars = (className: string) => (
    <svg
      className={className}
      viewBox={`0 0 ${barCount} ${heightOfBars}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
  return (
    <>
      <div
        className="scrubber"
        dir="ltr"
        style={{ '--from': place(fromMs), '--to': place(toMs) } as CSSProperties}
      >
        {bars('scrubber-all')}
        {bars('scrubber-selected')}
        {playedMs !== null && (
          <span className="scrubber-playhead" style={{ '--at': playedMs / lengthMs } as CSSProperties} />
        )}
        {children}
      </div>
      <div className="scrubber-times" dir="ltr" aria-hidden="true">
        {marks.map((share) => (
          <span key={share}>{writeTime(lengthMs * share, lengthMs < shortMs ? 1 : 0)}</span>
        ))}
      </div>
    </>
  );
}

/** A flat line for a missing waveform. */
export const line = `M0 ${heightOfBars / 2}h${barCount}`;

const flat = barsOf(Array.from({ length: barCount }, () => 0));

/**
 * The outline of a sound's waveform: flat until it is loaded, and when there is none.
 * @param href the sound; null for none
 * @param onLength called with the exact length once it is known
 */
export function useWaveform(href: string | null, lengthMs: number, onLength: (ms: number) => void): string {
  const [path, setPath] = useState(flat);
  const onLengthRef = useRef(onLength);
  onLengthRef.current = onLength;
  const durationS = useRef(lengthMs / 1000);
  useEffect(() => {
    if (href === null || isSavingData()) return;
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

/**
 * Follows a playing sound or video from frame to frame of the screen.
 * @param onFrame called with the position, and with null when paused
 */
export function usePlayed(
  media: RefObject<HTMLMediaElement | null>,
  isPlaying: boolean,
  onFrame: (ms: number | null) => void,
): void {
  useEffect(() => {
    if (!isPlaying) return;
    let frame = requestAnimationFrame(function follow() {
      if (media.current === null) return;
      onFrame(media.current.currentTime * 1000);
      frame = requestAnimationFrame(follow);
    });
    return () => {
      cancelAnimationFrame(frame);
      onFrame(null);
    };
  }, [media, isPlaying, onFrame]);
}

/** Sufficient for a waveform, and small in memory. */
const sampleRate = 8000;
/** Limit in seconds: a longer decoded sound needs more memory than a phone can spare. */
const maxDecodedS = 600;

interface Waveform {
  /** The loudness of each bar, 0 to 1. */
  readonly peaks: readonly number[];
  readonly lengthMs: number;
}

/**
 * Makes a waveform from a sound.
 * @param durationS the length, as far as known in advance
 * @returns null when the sound is unavailable or cannot be decoded here
 */
async function readWaveform(href: string, durationS: number, signal: AbortSignal): Promise<Waveform | null> {
  if (durationS > maxDecodedS) return null;
  const response = await fetch(href, { signal });
  if (!response.ok) return null;
  const bytes = await response.arrayBuffer();
  try {
    const decoded = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(bytes);
    return { peaks: peaksOf(decoded.getChannelData(0)), lengthMs: Math.floor(decoded.duration * 1000) };
  } catch (error) {
    // An AAC decoder is not part of every browser.
    if (error instanceof DOMException && error.name === 'EncodingError') return null;
    throw error;
  }
}

/** The loudest sample of each bar, against the loudest of all. */
function peaksOf(samples: Float32Array): number[] {
  const peaks = Array.from({ length: barCount }, (_, bar) => {
    const [start, end] = [bar, bar + 1].map((at) => Math.floor((at * samples.length) / barCount));
    return samples.subarray(start, end).reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  });
  const loudest = Math.max(...peaks, 1e-3);
  return peaks.map((peak) => peak / loudest);
}
