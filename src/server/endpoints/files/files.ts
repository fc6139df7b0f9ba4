import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import type { ArrivalResponse } from '../../../site/api.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { sendCaptions } from './captions.ts';
import { sendConversion } from './conversion.ts';
import { countRefusal, countWhenSent } from './count-downloads.ts';
import { openFile } from './cut-query.ts';
import { sendMotion } from './motion.ts';
import { sendPicture, sendZip } from './pictures.ts';
import { sendVideo } from './video.ts';

/**
 * `GET /api/files/{ticket}/arrival?press=`: how a file gets on that was fetched with the same `press`. Only the page that
 * made up this name knows it: the ticket is not needed, and may have expired since.
 */
function arrivalEndpoint(
  app: FastifyInstance,
  { arrivals, limits }: Pick<ServerDependencies, 'arrivals' | 'limits'>,
): void {
  app.get('/api/files/:ticket/arrival', async (request, reply) => {
    await limits.status(request.visitor);
    const response: ArrivalResponse = { code: 200, result: arrivals.of(request.query) };
    return reply.header('cache-control', 'no-store').send(response);
  });
}

function send(
  work: TicketFile,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerDependencies,
): Promise<FastifyReply> {
  switch (work.kind) {
    case 'video':
      return sendVideo(work, request, reply, parts);
    case 'sound':
    case 'slideshow':
      return sendConversion(work, request, reply, parts);
    case 'picture':
    case 'cover':
      return sendPicture(work, request, reply, parts);
    case 'motion':
      return sendMotion(work, request, reply, parts);
    case 'zip':
      return sendZip(work, request, reply, parts);
    case 'captions':
      return sendCaptions(work, request, reply, parts);
    default:
      throw new Failure('ticket_invalid', { note: 'not a file' });
  }
}

/** `GET` and `HEAD /api/files/{ticket}`: the file that a ticket describes; and how that gets on. */
export function filesEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  arrivalEndpoint(app, parts);
  app.route<{ Params: { ticket: string } }>({
    method: ['GET', 'HEAD'],
    url: '/api/files/:ticket',
    handler: async (request, reply) => {
      const work = await openFile(request, parts);
      parts.arrivals.note(request, reply);
      parts.limits.downloads(request.visitor, reply.raw);
      const resolver = parts.runningDownloads.track(work.post, reply.raw, parts.resolver);
      countWhenSent(work, request, reply, parts);
      try {
        return await send(work, request, reply, { ...parts, resolver });
      } catch (thrown) {
        countRefusal(work, request, thrown, parts);
        throw thrown;
      }
    },
  });
}
