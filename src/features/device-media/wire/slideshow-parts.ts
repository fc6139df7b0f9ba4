// The small one: it comes with the worker's script.
import * as z from 'zod/mini';

/**
 * How the parts of a video are sent: a `head` first, the sound in any number of pieces if there is one, then the pictures
 * in their order, and an `end`. Each of these is a byte that says what it is, four with the length of what follows
 * (unsigned, the highest first), and that. A picture that cannot be had is `missing`, and a sound that cannot be had, or
 * broke off, is `soundLost`, with nothing in it.
 */
export const signs = { head: 1, sound: 2, picture: 3, missing: 4, end: 5, soundLost: 6 } as const;

/** The kind of a part. */
export type Sign = (typeof signs)[keyof typeof signs];

/** Bytes before the content of each part. */
export const prefixBytes = 5;

/** Larger parts are rejected: a picture of the platform has at most 24 MB. */
const maxPartBytes = 32 * 2 ** 20;

const headSchema = z.object({
  /** The file's name. */
  name: z.string().check(z.minLength(1)),
  tags: z.object({ title: z.string(), artist: z.string(), sourceUrl: z.string() }),
  /** Pictures of the post, also those that cannot be had. */
  slides: z.int().check(z.minimum(1), z.maximum(1000)),
  sound: z.nullable(
    z.object({
      format: z.enum(['aac', 'mp3']),
      /** AAC LC in mono or stereo, which is heard everywhere: it is copied. */
      isPlain: z.boolean(),
    }),
  ),
});

/** The facts that come before the parts. */
export type PartsHead = z.infer<typeof headSchema>;

/** @throws ZodError, SyntaxError */
export const readHead = (bytes: Uint8Array): PartsHead =>
  headSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));

export const writeHead = (head: PartsHead): Uint8Array => new TextEncoder().encode(JSON.stringify(head));

/** The bytes before a part's content. */
export function prefixOf(sign: Sign, length: number): Uint8Array {
  const bytes = new Uint8Array(prefixBytes);
  bytes[0] = sign;
  new DataView(bytes.buffer).setUint32(1, length);
  return bytes;
}

/** Parses a part's header. @throws Error if malformed */
export function readPrefix(bytes: Uint8Array): { readonly sign: Sign; readonly length: number } {
  const sign = Object.values(signs).find((one) => one === bytes[0]);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (sign === undefined || length > maxPartBytes) throw new Error(`a part ${bytes[0]} of ${length} bytes`);
  return { sign, length };
}
