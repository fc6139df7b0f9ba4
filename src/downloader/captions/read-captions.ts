import { z } from 'zod';
import { type Cue, cleanCues } from './cue.ts';

/**
 * Reads the cues of a caption file: WebVTT (W3C WebVTT, section 4), SubRip, or the platform's own JSON.
 * @returns an empty list for anything else; never throws
 */
export function readCaptions(text: string): Cue[] {
  return cleanCues(/^\s*[{[]/.test(text) ? readJson(text) : readBlocks(text));
}

const timing = /^\s*(\d[\d:.,]{4,15})\s*-->\s*(\d[\d:.,]{4,15})/;

/** Blocks of WebVTT and SubRip: a line of times, perhaps one above it, and lines of text until an empty one. */
function readBlocks(text: string): Cue[] {
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

const seconds = z.number().nonnegative().finite();
const utteranceSchema = z.object({ start_time: seconds, end_time: seconds, text: z.string() });
const jsonSchema = z.object({ utterances: z.array(z.unknown()) });

/** `{ "utterances": [{ "start_time": 0, "end_time": 1200, "text": "…" }] }`, times in milliseconds. */
function readJson(text: string): Cue[] {
  const parsed = jsonSchema.safeParse(parse(text));
  if (!parsed.success) return [];
  return parsed.data.utterances.flatMap((one) => {
    const { data } = utteranceSchema.safeParse(one);
    return data === undefined ? [] : [{ startMs: data.start_time, endMs: data.end_time, text: data.text }];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports files without captions.
    return null;
  }
}
