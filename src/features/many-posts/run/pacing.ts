import { type Locale, languages } from '../../../i18n/languages.ts';

/** Waits, or returns early when the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || ms <= 0) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** A run leaves a tenth of what the site grants for what its visitor does beside it. */
const share = 0.9;

/** Milliseconds between two of so many in a minute. */
export const gapMs = (perMinute: number): number => 60_000 / (perMinute * share);

/** A function that waits until the next one may begin. @param perMinute as the site grants them */
export function createPace(perMinute: number): (signal: AbortSignal) => Promise<void> {
  let next = 0;
  return (signal) => {
    const at = Math.max(Date.now(), next);
    next = at + gapMs(perMinute);
    return wait(at - Date.now(), signal);
  };
}

/** A span of time in words, in minutes or hours. */
export function inWords(minutes: number, locale: Locale): string {
  const [unit, value] = minutes < 90 ? ['minute', Math.max(1, minutes)] : ['hour', minutes / 60];
  return new Intl.NumberFormat(languages[locale].intl, {
    ...{ style: 'unit', unit: String(unit), unitDisplay: 'long', maximumFractionDigits: 0 },
  }).format(Math.ceil(Number(value)));
}
