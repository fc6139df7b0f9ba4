import { once } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConversionStatus, Conversions } from '../../downloader/conversions/contracts.ts';
import {
  isConversion,
  type TicketConversion,
  writeTicketFile,
} from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import type { ConversionResponse } from '../../site/api.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import { errorResponse, localeOf } from '../instance/errors.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { openTicket, withCut } from './requested-file.ts';

type TicketRequest = FastifyRequest<{ Params: { ticket: string } }>;

/** Proxies drop a connection that is silent for a minute. */
const heartbeatMs = 15_000;

async function workOf(
  request: TicketRequest,
  parts: Pick<ServerDependencies, 'tickets' | 'limits'>,
): Promise<TicketConversion> {
  const work = await openTicket(request, parts);
  await parts.limits.status(request.visitor);
  if (!isConversion(work)) throw new Failure('ticket_invalid', { note: 'not a converted file' });
  return withCut(work, request.query);
}

function toResult(
  { state, ahead, fraction, bytes, error, isSoundless = false, missingPictures }: ConversionStatus,
  request: FastifyRequest,
) {
  return {
    state,
    ahead,
    progress: fraction,
    bytes,
    error: error === null ? null : errorResponse(new Failure(error), localeOf(request)).error,
    ...(isSoundless && { no_sound: 'lost' }),
    ...(missingPictures !== undefined && { missing_photos: missingPictures }),
  } satisfies ConversionResponse['result'];
}

/** Server-sent events (WHATWG HTML, section 9.2), one `status` event for each change, until the conversion ends. */
async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  changes: AsyncIterable<ConversionStatus>,
): Promise<void> {
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
  try {
    for await (const change of changes) {
      const sent = raw.write(`event: status\ndata: ${JSON.stringify(toResult(change, request))}\n\n`);
      if (!sent) await once(raw, 'drain', { signal: request.disconnected });
    }
    raw.end();
  } catch (thrown) {
    if (!request.disconnected.aborted) request.log.error({ err: thrown }, 'status events broke off');
    raw.destroy();
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * How long an "idle" response is cached, in ms: each costs a request to the store, and visitors must not see it for
 * long.
 */
const idleMs = 250;
/** Files of which that is known at once. */
const mostIdle = 1000;

/** Reads conversions' states, once for concurrent callers. */
function readOnce({ status }: Pick<Conversions, 'status'>): Conversions['status'] {
  const answers = createMemo<ConversionStatus>({
    ...{ max: mostIdle, ttlMs: idleMs },
    keeps: ({ state }) => state === 'idle',
  });
  return (work) => answers.get(writeTicketFile(work), () => status(work));
}

/** `GET` and `DELETE /api/files/{ticket}/status`: a conversion's state, and its cancellation by the visitor. */
export function statusEndpoint(
  app: FastifyInstance,
  parts: Pick<ServerDependencies, 'conversions' | 'limits' | 'stopping' | 'tickets'>,
): void {
  const { conversions, stopping } = parts;
  const statusOf = readOnce(conversions);
  app.get('/api/files/:ticket/status', async (request: TicketRequest, reply) => {
    const work = await workOf(request, parts);
    if (request.headers.accept?.includes('text/event-stream')) {
      parts.limits.watches(request.visitor, reply.raw);
      await sendEvents(
        request,
        reply,
        conversions.watch(work, AbortSignal.any([request.disconnected, stopping])),
      );
      return reply;
    }
    const response: ConversionResponse = { code: 200, result: toResult(await statusOf(work), request) };
    return reply.header('cache-control', 'no-store').send(response);
  });

  app.delete('/api/files/:ticket/status', async (request: TicketRequest, reply) => {
    const cancelled = await conversions.cancel(await workOf(request, parts), request.visitor.key);
    return reply.header('cache-control', 'no-store').send({ code: 200, result: { cancelled } });
  });
}
