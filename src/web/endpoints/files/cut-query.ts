import { z } from 'zod';
import { type Cut, cutSchema, maxCutMs, ringtoneFrom } from '../../../downloader/cutting/cut.ts';
import { readTime } from '../../../downloader/cutting/time-text.ts';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';

/** A time as people type it, or as programs do; one behind every end is the end. */
const time = z
  .string()
  .max(24)
  .transform(readTime)
  .pipe(z.int().transform((ms) => Math.min(ms, maxCutMs)));

const querySchema = z.object({
  from: time.optional(),
  to: time.optional(),
  ringtone: z.literal('1').optional(),
});

/** The cut that a query requests; null for the whole file. @throws Failure `cut_invalid` */
function readCutQuery(query: unknown): Cut | null {
  const { data, error } = querySchema.safeParse(query);
  if (data === undefined) throw new Failure('cut_invalid', { cause: error });
  const { from: fromMs = 0, to: toMs = maxCutMs, ringtone } = data;
  if (ringtone !== undefined && fromMs < maxCutMs) return ringtoneFrom(fromMs);
  if (data.from === undefined && data.to === undefined) return null;
  const cut = cutSchema.safeParse({ fromMs, toMs, isRingtone: false });
  if (!cut.success) throw new Failure('cut_invalid', { cause: cut.error, note: `${fromMs} to ${toMs} ms` });
  return cut.data;
}

/**
 * The ticket's work with the cut of the request's query: `from` and `to` in seconds or as `1:02.5`, or `ringtone=1` for
 * half a minute of a sound from `from` on.
 * @throws Failure `cut_invalid`, or `cut_unsupported` for a file without times
 */
export function withCut<W extends TicketFile>(work: W, query: unknown): W {
  const cut = readCutQuery(query);
  if (cut === null) return work;
  if (work.kind !== 'sound' && (work.kind !== 'video' || cut.isRingtone))
    throw new Failure('cut_unsupported', { note: `no cut of a ${work.kind}` });
  return { ...work, cut };
}

/** Distinguishes a cut's file name from the whole file's. */
export function cutSuffix(cut: Cut | undefined): string | null {
  if (cut === undefined) return null;
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10}`;
  if (cut.isRingtone) return `ringtone-${seconds(cut.fromMs)}`;
  return cut.toMs === maxCutMs
    ? `from-${seconds(cut.fromMs)}`
    : `${seconds(cut.fromMs)}-${seconds(cut.toMs)}`;
}
