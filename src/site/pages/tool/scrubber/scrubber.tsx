import { useCallback, useRef, useState } from 'react';
import { languages } from '../../../../i18n/languages.ts';
import type { DownloadOption } from '../../../api.ts';
import { writeTime } from '../../../time-text.ts';
import { useLocale, useTranslate } from '../../../translation.tsx';
import { Outline } from '../../../ui/icon.tsx';
import { Ends } from './handle.tsx';
import type { ChosenPart } from './part.ts';
import { usePlayed, useWaveform, Wave } from './wave.tsx';

export interface ScrubberProps {
  /** The drawn and played sound; null for none. */
  sound: DownloadOption | null;
  lengthMs: number;
  part: Omit<ChosenPart, 'isWhole'>;
  /** Called with the exact length once it is known. */
  onLength(ms: number): void;
}

/**
 * The position of a part in the whole: a waveform with two handles, and its sound. Its texts are the catalogue page
 * `cut`.
 */
export function Scrubber({ sound, lengthMs, part, onLength }: ScrubberProps) {
  const { fromMs, toMs } = part;
  const path = useWaveform(sound?.href ?? null, lengthMs, onLength);
  const [playedMs, setPlayedMs] = useState<number | null>(null);
  return (
    <>
      <Wave {...{ path, lengthMs, fromMs, toMs, playedMs }}>
        <Ends part={part} lengthMs={lengthMs} />
      </Wave>
      <div className="scrubber-foot" dir="ltr">
        {sound !== null && (
          <PlayButton href={sound.href} fromMs={fromMs} toMs={toMs} onPlayed={setPlayedMs} />
        )}
        <PartLength fromMs={fromMs} toMs={toMs} />
      </div>
    </>
  );
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
  /** Called with the playback position; null while paused. */
  onPlayed(ms: number | null): void;
}

/** Plays the part and stops at its end. */
function PlayButton({ href, fromMs, toMs, onPlayed }: PlayButtonProps) {
  const t = useTranslate<'cut'>();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const stopAtEnd = useCallback((ms: number) => ms >= toMs && audio.current?.pause(), [toMs]);
  const follow = useCallback(
    (ms: number | null) => {
      if (ms !== null) stopAtEnd(ms);
      onPlayed(ms === null ? null : Math.min(toMs, ms));
    },
    [toMs, onPlayed, stopAtEnd],
  );
  usePlayed(audio, isPlaying, follow);
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
        onTimeUpdate={({ currentTarget }) => stopAtEnd(currentTarget.currentTime * 1000)}
      />
    </>
  );
}
