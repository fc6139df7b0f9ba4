/** One caption: a line, or several that are shown together. */
export interface Cue {
  /** Milliseconds from the video's beginning. */
  readonly startMs: number;
  readonly endMs: number;
  /** Plain text; at least one character, and no empty lines. */
  readonly text: string;
}

/** More than an hour of talk has. */
const maxCues = 5_000;
const maxCueCharacters = 1_000;
/** A day: no video is longer. */
const maxMs = 86_400_000;

/**
 * Returns the cues that can be shown, in order of time. Captions come from strangers: programs that read the file must
 * find only text in it.
 */
export function cleanCues(cues: readonly Cue[]): Cue[] {
  return cues
    .slice(0, maxCues)
    .flatMap(({ startMs, endMs, text }) => {
      const clean = cleanText(text);
      const isTime = startMs >= 0 && endMs > startMs && endMs <= maxMs;
      return isTime && clean !== ''
        ? [{ startMs: Math.round(startMs), endMs: Math.round(endMs), text: clean }]
        : [];
    })
    .filter(({ startMs, endMs }) => endMs > startMs)
    .toSorted((one, other) => one.startMs - other.startMs);
}

/** Lines without control characters, without spaces around them, and without an arrow that a reader takes for a time. */
function cleanText(text: string): string {
  return text
    .slice(0, maxCueCharacters)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[^\P{Cc}\n]|\ufeff/gu, ' ')
    .replace(/-{2,}>/g, '→')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
