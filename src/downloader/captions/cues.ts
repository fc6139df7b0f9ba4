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

const timing = /^\s*(\d[\d:.,]{4,15})\s*-->\s*(\d[\d:.,]{4,15})/;

/**
 * Reads the cues of WebVTT and SubRip, as they are written. Blocks are a line of times, perhaps one above it, and lines
 * of text until an empty one.
 */
export function readBlocks(text: string): Cue[] {
  const cues: Cue[] = [];
  let open: { startMs: number; endMs: number; lines: string[] } | null = null;
  const close = () => {
    if (open !== null) cues.push({ ...open, text: withoutMarkup(open.lines.join('\n')) });
    open = null;
  };
  for (const line of text.split(/\r\n?|\n/)) {
    const [, start, end] = timing.exec(line) ?? [];
    if (start !== undefined && end !== undefined) {
      close();
      open = { startMs: milliseconds(start), endMs: milliseconds(end), lines: [] };
    } else if (line.trim() === '') close();
    else open?.lines.push(line);
  }
  close();
  return cues;
}

/** `01:02:03.456`, `02:03,456`; NaN for what is no time. */
function milliseconds(time: string): number {
  const [, hours = '0', minutes, seconds, fraction] =
    /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})$/.exec(time) ?? [];
  if (fraction === undefined) return Number.NaN;
  const wholeS = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return wholeS * 1000 + Number(fraction.padEnd(3, '0'));
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
  lrm: '\u200e',
  rlm: '\u200f',
};

/** Tags of WebVTT and SubRip (`<i>`, `<c.yellow>`, `<v Ann>`, `<00:01.000>`) go, what they enclose stays. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<[^<>\n]{0,200}>/g, '')
    .replace(/&([a-z]{2,4});/g, (written, name: string) => entities[name] ?? written);
}
