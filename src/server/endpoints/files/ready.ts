import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import type { ReadyResponse } from '../../../site/api.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { captionsReady } from './captions.ts';
import { conversionReady } from './conversion.ts';
import { countRefusal } from './count-downloads.ts';
import { openFile } from './cut-query.ts';
import { motionReady } from './motion.ts';
import { pictureReady, zipReady } from './pictures.ts';
import { videoReady } from './video.ts';

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
