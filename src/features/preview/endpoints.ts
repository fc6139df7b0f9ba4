import type { FastifyInstance } from 'fastify';
import type { TicketSound } from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import { sendConversion } from '../../server/endpoints/files/conversion.ts';
import { sendVideo } from '../../server/endpoints/files/video.ts';
import { openTicket } from '../../server/endpoints/requested-file.ts';
import { createDownloadLimit } from '../../server/http/limits/visitor-limits.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';

/** A player has one connection, and briefly a second one while seeking. */
const atOnce = 3;

/** Waits until a sound is complete: players request ranges, which a growing file cannot serve. */
async function untilWhole(
  work: TicketSound,
  visitor: string,
  { conversions }: Pick<ServerDependencies, 'conversions'>,
  signal: AbortSignal,
): Promise<void> {
  const file = await conversions.open(work, visitor, signal);
  try {
    if (file.complete) return;
    for await (const { state } of conversions.watch(work, signal)) if (state === 'done') return;
  } finally {
    file.release();
  }
}

/**
 * `GET /api/files/{ticket}/preview`: the file for a player. It counts neither as a download nor against the limit of
 * concurrent downloads; its request limit is that of conversions' progress, since players request many ranges.
 */
export function previewEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  const running = createDownloadLimit(atOnce);
  app.get<{ Params: { ticket: string } }>('/api/files/:ticket/preview', async (request, reply) => {
    const work = await openTicket(request, parts);
    if (work.kind !== 'video' && work.kind !== 'sound')
      throw new Failure('ticket_invalid', { note: 'nothing to play' });
    await parts.limits.status(request.visitor);
    running(request.visitor, reply.raw);
    const resolver = parts.runningDownloads.track(work.post, reply.raw, parts.resolver);
    const own = { ...parts, resolver };
    if (work.kind === 'video') return sendVideo(work, request, reply, own);
    await untilWhole(work, request.visitor.key, own, request.disconnected);
    return sendConversion(work, request, reply, own);
  });
}
