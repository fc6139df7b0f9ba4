import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Cut, cutSchema, maxCutMs, ringtoneFrom } from '../../downloader/cutting/cut.ts';
import type { TicketFile } from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import { readTime } from '../../site/time-text.ts';
import type { ServerDependencies } from '../instance/parts.ts';

type TicketParts = Pick<ServerDependencies, 'tickets' | 'limits'>;

/** The work of a request's ticket. @throws as {@link openTickets} */
export async function openTicket(
  request: FastifyRequest<{ Params: { ticket: string } }>,
  parts: TicketParts,
): Promise<TicketFile> {
  const [work] = await openTickets([request.params.ticket], request, parts);
  if (work === undefined) throw new Failure('ticket_invalid');
  request.workKind = work.kind;
  request.askedPost = work.post;
  return work;
}

/**
 * The works of a request's tickets. Invalid tickets count against the same limit as unknown pages, so that a visitor
 * who tries many is soon refused.
 * @throws Failure `ticket_invalid`, `ticket_expired`, `rate_limited`
 */
export async function openTickets(
  texts: readonly string[],
  request: FastifyRequest,
  { tickets, limits }: TicketParts,
): Promise<TicketFile[]> {
  try {
    return texts.map((text) => tickets.open(text));
  } catch (thrown) {
    await limits.uncached.spend(request.visitor);
    throw thrown;
  }
}

/** Cuts begin and end at hundredths of a second, so that one sound has a bounded number of them. */
const stepMs = 10;

/** A time as people type it, or as programs do; one behind every end is the end. @param round to whole steps */
const time = (round: (steps: number) => number) =>
  z
    .string()
    .max(24)
    .transform(readTime)
    .pipe(z.int().transform((ms) => Math.min(round(ms / stepMs) * stepMs, maxCutMs)));

const querySchema = z.object({
  from: time(Math.floor).optional(),
  to: time(Math.ceil).optional(),
  ringtone: z.literal('1').optional(),
  silent: z.literal('1').optional(),
});

/** The cut that a query requests; null for the whole file. @throws Failure `cut_invalid` */
function readCutQuery(query: unknown): Cut | null {
  const { data, error } = querySchema.safeParse(query);
  if (data === undefined) throw new Failure('cut_invalid', { cause: error });
  const { from: fromMs = 0, to: toMs = maxCutMs, ringtone, silent } = data;
  if (ringtone !== undefined && fromMs < maxCutMs) return ringtoneFrom(fromMs);
  if (data.from === undefined && data.to === undefined && silent === undefined) return null;
  const cut = cutSchema.safeParse({ fromMs, toMs, isRingtone: false, ...(silent && { isSilent: true }) });
  if (!cut.success) throw new Failure('cut_invalid', { cause: cut.error, note: `${fromMs} to ${toMs} ms` });
  return cut.data;
}

/**
 * The ticket's work with the cut of the request's query: `from` (rounded down to hundredths of a second) and `to`
 * (rounded up) in seconds or as `1:02.5`, `ringtone=1` for
 * half a minute of a sound from `from` on, or `silent=1` for a video without its sound.
 * @throws Failure `cut_invalid`, or `cut_unsupported` for a file without times
 */
export function withCut<W extends TicketFile>(work: W, query: unknown): W {
  const cut = readCutQuery(query);
  if (cut === null) return work;
  if (work.kind === 'video' ? cut.isRingtone : work.kind !== 'sound' || cut.isSilent === true)
    throw new Failure('cut_unsupported', { note: `no cut of a ${work.kind}` });
  return { ...work, cut };
}

/**
 * The file that a request asks for, which is paid for: it counts against the visitor's limit of files, and a cut also
 * against that of cuts, since each is made anew.
 * @throws as {@link openTicket} and {@link withCut}, and Failure `rate_limited`
 */
export async function openFile(
  request: FastifyRequest<{ Params: { ticket: string } }>,
  parts: TicketParts,
): Promise<TicketFile> {
  const work = withCut(await openTicket(request, parts), request.query);
  await parts.limits.files(request.visitor);
  if ('cut' in work && work.cut !== undefined) await parts.limits.cuts(request.visitor);
  return work;
}

/** Distinguishes a cut's file name from the whole file's. */
export function cutSuffix(cut: Cut | undefined): string | null {
  if (cut === undefined) return null;
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10}`;
  if (cut.isRingtone) return `ringtone-${seconds(cut.fromMs)}`;
  if (cut.isSilent === true) {
    const part = cutSuffix({ ...cut, isSilent: undefined });
    return cut.fromMs === 0 && cut.toMs === maxCutMs ? 'no-sound' : `${part}-no-sound`;
  }
  return cut.toMs === maxCutMs
    ? `from-${seconds(cut.fromMs)}`
    : `${seconds(cut.fromMs)}-${seconds(cut.toMs)}`;
}
