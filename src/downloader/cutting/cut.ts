import { z } from 'zod';

/** No recording is longer than a day; later times are invalid. */
export const maxCutMs = 24 * 60 * 60 * 1000;

/** Length of a ringtone, which is all that telephones take, and of its fading out. */
const ringtoneMs = 30_000;
export const fadeMs = 2_000;

const ms = z.int().min(0).max(maxCutMs);

/**
 * A part of a recording, in milliseconds from its beginning; an end after the recording's end means that end. A
 * ringtone has a fixed length and fades out. `isSilent` leaves out the sound of a video.
 */
export const cutSchema = z
  .object({ fromMs: ms, toMs: ms, isRingtone: z.boolean(), isSilent: z.literal(true).optional() })
  .refine(({ fromMs, toMs, isRingtone, isSilent }) => fromMs < toMs && !(isRingtone && isSilent));

export type Cut = z.infer<typeof cutSchema>;

/** The ringtone that begins at a time. */
export const ringtoneFrom = (fromMs: number): Cut => ({
  fromMs,
  toMs: Math.min(maxCutMs, fromMs + ringtoneMs),
  isRingtone: true,
});

/** The cut in letters of tickets: `12500-27250`, `silent-0-86400000`, or `ring-12500`. */
export const writeCut = ({ fromMs, toMs, isRingtone, isSilent }: Cut): string =>
  isRingtone ? `ring-${fromMs}` : `${isSilent === true ? 'silent-' : ''}${fromMs}-${toMs}`;

/** The opposite of {@link writeCut}; null for text that it never writes. */
export function readCut(text: string): Cut | null {
  const [, word, first = '', second = ''] = /^(?:(ring|silent)-)?(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  const part = { fromMs: Number(first), toMs: Number(second), isRingtone: false };
  const cut =
    word === 'ring' ? ringtoneFrom(Number(first)) : word === 'silent' ? { ...part, isSilent: true } : part;
  const { data } = cutSchema.safeParse(cut);
  return data !== undefined && writeCut(data) === text ? data : null;
}
