import { z } from 'zod';
import { type Cue, cleanCues, readBlocks } from './cues.ts';

/**
 * Reads the cues of a caption file: WebVTT (W3C WebVTT, section 4), SubRip, or the platform's own JSON.
 * @returns an empty list for anything else; never throws
 */
export function readCaptions(text: string): Cue[] {
  return cleanCues(/^\s*[{[]/.test(text) ? readJson(text) : readBlocks(text));
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

/** The formats in which captions are offered. */
export const captionFormats = ['srt', 'vtt', 'txt'] as const;
export type CaptionFormat = (typeof captionFormats)[number];

/** A file of captions. @param cues clean ones */
export function writeCaptions(cues: readonly Cue[], format: CaptionFormat): string {
  switch (format) {
    case 'srt':
      return cues.map((cue, at) => `${at + 1}\n${span(cue, ',')}\n${cue.text}\n`).join('\n');
    case 'vtt':
      return ['WEBVTT\n', ...cues.map((cue) => `${span(cue, '.')}\n${escaped(cue.text)}\n`)].join('\n');
    case 'txt':
      return toText(cues);
  }
}

/** Writes the spoken text, one line for each cue. Roll-up captions repeat a line; the repetition is dropped. */
function toText(cues: readonly Cue[]): string {
  const lines = cues.flatMap(({ text }) => text.split('\n'));
  const said = lines.filter((line, at) => line !== lines[at - 1]);
  return said.length === 0 ? '' : `${said.join('\n')}\n`;
}

const span = ({ startMs, endMs }: Cue, point: '.' | ',') =>
  `${timeOf(startMs, point)} --> ${timeOf(endMs, point)}`;

function timeOf(ms: number, point: '.' | ','): string {
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  return `${pad(ms / 3_600_000, 2)}:${pad((ms / 60_000) % 60, 2)}:${pad((ms / 1000) % 60, 2)}${point}${pad(ms % 1000, 3)}`;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
