import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writeTicketFile } from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import { countRefusal, countWhenSent } from '../../server/endpoints/files/count-downloads.ts';
import { nameWhenReady } from '../../server/endpoints/files/files.ts';
import { fileHeaders } from '../../server/endpoints/files/sending.ts';
import { openTickets } from '../../server/endpoints/requested-file.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import type { ReadyResponse } from '../../site/api.ts';
import { mostListed } from '../../site/pages/tool/link-box/typed-links.ts';
import { sendZip } from './zip/send-zip.ts';
import { isZipWork, type ZipWork, zipName } from './zip/zip-files.ts';

const querySchema = z.object({
  file: z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1).max(mostListed)]),
});

/** The works of a request's tickets, without duplicates. @throws Failure */
async function worksOf(request: FastifyRequest, parts: ServerDependencies): Promise<[ZipWork, ...ZipWork[]]> {
  const { data, error } = querySchema.safeParse(request.query);
  if (data === undefined)
    throw new Failure('request_invalid', { cause: error, note: `no "file", or more than ${mostListed}` });
  const works = await openTickets(data.file, request, parts);
  if (!works.every(isZipWork)) throw new Failure('ticket_invalid', { note: 'not a part of a zip' });
  const [first, ...others] = new Map(works.map((work) => [writeTicketFile(work), work])).values();
  if (first === undefined) throw new Failure('request_invalid');
  return [first, ...others];
}

/** In statistics it is one download. */
const asOne = ([{ post }]: readonly [ZipWork, ...ZipWork[]]) => ({ kind: 'zip' as const, post });

/**
 * `GET /api/files/zip?file={ticket}&file={ticket}`: several files as one zip. It counts as one running download and as
 * one request for each file. `GET /api/files/zip/ready` responds when its first file can be fetched.
 */
export function severalLinksEndpoints(app: FastifyInstance, parts: ServerDependencies): void {
  const { limits, configuration } = parts;

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/files/zip',
    handler: async (request, reply) => {
      const works = await worksOf(request, parts);
      if (request.method === 'HEAD') {
        await limits.files(request.visitor);
        return reply.headers(fileHeaders(zipName(configuration.brand, works), 'application/zip')).send();
      }
      for (const _ of works) await limits.files(request.visitor);
      parts.arrivals.note(request, reply);
      limits.downloads(request.visitor, reply.raw);
      countWhenSent(asOne(works), request, reply, parts);
      try {
        return await sendZip(works, request, reply, parts);
      } catch (thrown) {
        countRefusal(asOne(works), request, thrown, parts);
        throw thrown;
      }
    },
  });

  app.get('/api/files/zip/ready', async (request, reply) => {
    const works = await worksOf(request, parts);
    await limits.files(request.visitor);
    limits.downloads(request.visitor, reply.raw);
    await untilOneIsReady(works, request, parts);
    const response: ReadyResponse = { code: 200, result: { name: zipName(configuration.brand, works) } };
    return reply.header('cache-control', 'no-store').send(response);
  });
}

/** The first available file is sufficient. @throws the first one's Failure when there is none */
async function untilOneIsReady(
  works: readonly ZipWork[],
  request: FastifyRequest,
  parts: ServerDependencies,
) {
  let missing: Failure | null = null;
  for (const work of works) {
    try {
      await nameWhenReady(work, request, parts);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      missing ??= thrown;
    }
  }
  throw missing ?? new Failure('option_missing');
}
