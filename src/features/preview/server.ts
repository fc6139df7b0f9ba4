import type { FastifyInstance } from 'fastify';
import type { SoundWork } from '../../downloader/tickets/work.ts';
import { Failure } from '../../failures/failures.ts';
import { sendConversion } from '../../web/endpoints/files/conversion.ts';
import { sendVideo } from '../../web/endpoints/files/video.ts';
import { openTicket } from '../../web/endpoints/open-ticket.ts';
import type { FeatureServer } from '../../web/feature.ts';
import { createDownloadLimit } from '../../web/http/limits/download-limit.ts';
import type { ServerParts } from '../../web/server/parts.ts';

/** A player has one connection, and for a moment a second one when somebody moves along in the file. */
const atOnce = 3;

/** Waits until a sound is there as a whole: players want parts of it, which a file that still grows does not give. */
async function untilWhole(
  work: SoundWork,
  visitor: string,
  { conversions }: Pick<ServerParts, 'conversions'>,
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
 * `GET /api/files/{ticket}/preview`: the file for a player. It is counted as no download, and as none of those that a
 * visitor may have at once; how often it may be asked for is limited as for the progress of conversions, since players
 * ask for many parts.
 */
function endpoints(app: FastifyInstance, parts: ServerParts): void {
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

export default { endpoints } satisfies FeatureServer;
