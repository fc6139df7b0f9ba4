import { z } from 'zod';

/** No recording is longer than a day; later times are invalid. */
export const maxCutMs = 24 * 60 * 60 * 1000;

/** Length of a ringtone, which is all that telephones take, and of its fading out. */
const ringtoneMs = 30_000;
export const fadeMs = 2_000;

const ms = z.int().min(0).max(maxCutMs);

/**
 * A part of a recording, in milliseconds from its beginning; an end after the recording's end means that end. A
 * ringtone has a fixed length and fades out.
 */
export const cutSchema = z
  .object({ fromMs: ms, toMs: ms, isRingtone: z.boolean() })
  .refine(({ fromMs, toMs }) => fromMs < toMs);

export type Cut = z.infer<typeof cutSchema>;

/** The ringtone that begins at a time. */
export const ringtoneFrom = (fromMs: number): Cut => ({
  fromMs,
  toMs: Math.min(maxCutMs, fromMs + ringtoneMs),
  isRingtone: true,
});

/** The cut in letters of tickets: `12500-27250`, or `ring-12500`. */
export const writeCut = ({ fromMs, toMs, isRingtone }: Cut): string =>
  isRingtone ? `ring-${fromMs}` : `${fromMs}-${toMs}`;

/** The opposite of {@link writeCut}; null for text that it never writes. */
export function readCut(text: string): Cut | null {
  const [first = '', second = ''] = text.split('-', 2);
  const cut =
    first === 'ring'
      ? ringtoneFrom(Number(second))
      : { fromMs: Number(first), toMs: Number(second), isRingtone: false };
  const { data } = cutSchema.safeParse(cut);
  return data !== undefined && writeCut(data) === text ? data : null;
}
