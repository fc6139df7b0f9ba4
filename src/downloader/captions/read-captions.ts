import { z } from 'zod';
import { type Cue, cleanCues } from './cue.ts';
import { readBlocks } from './read-blocks.ts';

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
