import { writeTime } from '../../../time-text.ts';
import { useTranslate } from '../../../translation.tsx';
import type { ChosenPart } from './part.ts';

interface HandleProps {
  label: string;
  ms: number;
  lengthMs: number;
  className?: string;
  /** An arrow key's step in ms. */
  arrowMs?: number;
  onChange(ms: number): void;
}

/** Steps in ms: of a drag, by a page key, and by that with Shift. */
const stepMs = 100;
const pageMs = 1000;
const longPageMs = 5000;

/** A time on a {@link Wave} that is dragged, or moved by keys. */
export function Handle({ label, ms, lengthMs, className = '', arrowMs = stepMs, onChange }: HandleProps) {
  return (
    <input
      type="range"
      className={`scrubber-handle ${className}`.trimEnd()}
      aria-label={label}
      aria-valuetext={writeTime(ms)}
      min={0}
      max={lengthMs}
      step={stepMs}
      value={ms}
      onChange={({ target }) => onChange(Number(target.value))}
      onKeyDown={(event) => {
        const page = event.shiftKey ? longPageMs : pageMs;
        const { ArrowLeft, ArrowRight } = { ArrowLeft: -arrowMs, ArrowRight: arrowMs };
        const by = {
          ...{ PageUp: page, PageDown: -page, ArrowLeft, ArrowRight },
          ...{ ArrowDown: ArrowLeft, ArrowUp: ArrowRight },
        }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onChange(Math.min(lengthMs, Math.max(0, ms + by)));
      }}
    />
  );
}

interface EndsProps {
  part: Omit<ChosenPart, 'isWhole'>;
  lengthMs: number;
}

/** The two ends of a part on a {@link Wave}. Their texts are the catalogue page `cut`. */
export function Ends({ part: { fromMs, toMs, choose }, lengthMs }: EndsProps) {
  const t = useTranslate<'cut'>();
  return (
    <>
      <Handle
        label={t('cut.from')}
        className="scrubber-from"
        ms={fromMs}
        lengthMs={lengthMs}
        onChange={(ms) => choose(Math.max(0, Math.min(ms, toMs - stepMs)), toMs)}
      />
      <Handle
        label={t('cut.to')}
        className="scrubber-to"
        ms={toMs}
        lengthMs={lengthMs}
        onChange={(ms) => choose(fromMs, Math.min(lengthMs, Math.max(ms, fromMs + stepMs)))}
      />
    </>
  );
}
