import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { arrivalEndpoint } from './arrival.ts';
import { sendCaptions } from './captions.ts';
import { sendConversion } from './conversion.ts';
import { countRefusal, countWhenSent } from './count-downloads.ts';
import { openFile } from './cut-query.ts';
import { sendMotion } from './motion.ts';
import { sendCover, sendPicture, sendZip } from './pictures.ts';
import { sendVideo } from './video.ts';

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
      return sendPicture(work, request, reply, parts);
    case 'motion':
      return sendMotion(work, request, reply, parts);
    case 'zip':
      return sendZip(work, request, reply, parts);
    case 'cover':
      return sendCover(work, request, reply, parts);
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
