// The small one: it comes with the worker's script.
import * as z from 'zod/mini';

/**
 * How a sound's frames are sent: four bytes with the length of what follows (unsigned, the highest first), a `FramesHead`
 * as JSON in UTF-8, the mp3's tag, and the AAC frames, each with an ADTS header.
 */
export const headLengthBytes = 4;
/** A head says little; what announces more is none. */
export const maxHeadBytes = 4096;

/** The longest sound that a device encodes, in seconds: its memory holds the whole mp3, and the browser another copy. */
export const maxDurationS = 600;

const count = z.int().check(z.minimum(0));
const seconds = z.number().check(z.minimum(0), z.maximum(maxDurationS));
const rate = z.int().check(z.minimum(1));

const headSchema = z.object({
  /** The file's name. */
  name: z.string().check(z.minLength(1)),
  /** Bytes of the tag. */
  tagBytes: z.int().check(z.minimum(0), z.maximum(1_000_000)),
  facts: z.object({
    config: z.object({
      objectType: z.literal([2, 5, 29]),
      sampleRate: rate,
      outputSampleRate: rate,
      channels: z.int().check(z.minimum(1), z.maximum(8)),
    }),
    frameCount: count,
    skipSamples: z.int(),
    durationS: seconds,
    bytes: count,
  }),
  /** A ringtone's end. */
  fade: z.nullable(z.object({ startS: z.number(), lengthS: z.number() })),
});

/** The facts of a sound that come before its frames. */
export type FramesHead = z.infer<typeof headSchema>;

/** @throws ZodError, SyntaxError */
export const readHead = (bytes: Uint8Array): FramesHead =>
  headSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));

/** The head as it is sent, its length before it. */
export function writeHead(head: FramesHead): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(headLengthBytes + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, headLengthBytes);
  return bytes;
}
