import type { Cue } from './cue.ts';

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
