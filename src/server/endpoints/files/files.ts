import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import type { ArrivalResponse, ReadyResponse } from '../../../site/api.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { openFile } from '../requested-file.ts';
import { captionsReady, sendCaptions } from './captions.ts';
import { conversionReady, sendConversion } from './conversion.ts';
import { countRefusal, countWhenSent } from './count-downloads.ts';
import { motionReady, sendMotion } from './motion.ts';
import { pictureReady, sendPicture, sendZip, zipReady } from './pictures.ts';
import { sendVideo, videoReady } from './video.ts';

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

/**
 * Waits until a file can be fetched.
 * @returns its name
 * @throws Failure when it is unavailable
 */
export function nameWhenReady(
  work: TicketFile,
  request: FastifyRequest,
  parts: ServerDependencies,
): Promise<string> {
  switch (work.kind) {
    case 'video':
      return videoReady(work, request, parts);
    case 'sound':
    case 'slideshow':
      return conversionReady(work, request, parts);
    case 'picture':
    case 'cover':
      return pictureReady(work, request, parts);
    case 'motion':
      return motionReady(work, request, parts);
    case 'zip':
      return zipReady(work, request, parts);
    case 'captions':
      return captionsReady(work, request, parts);
    default:
      throw new Failure('ticket_invalid', { note: 'not a file' });
  }
}

/**
 * `GET /api/files/{ticket}/ready`: responds when the file can be fetched, or with the failure. A page learns nothing of
 * a download that it passes to the browser: it asks here first, so that the page shows a failure and the browser never
 * saves an error. Costs a few bytes of the file at the platform, or the conversion.
 */
export function readyEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  app.get<{ Params: { ticket: string } }>('/api/files/:ticket/ready', async (request, reply) => {
    const work = await openFile(request, parts);
    // A visitor at the limit of downloads is told so here and not by the browser's download list; waiting here holds a
    // connection as well.
    parts.limits.downloads(request.visitor, reply.raw);
    const name = await nameWhenReady(work, request, parts).catch((thrown: unknown) => {
      countRefusal(work, request, thrown, parts);
      throw thrown;
    });
    const response: ReadyResponse = { code: 200, result: { name } };
    return reply.header('cache-control', 'no-store').send(response);
  });
}
