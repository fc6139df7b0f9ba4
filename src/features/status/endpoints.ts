import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../downloader/tickets/ticket-file.ts';
import { isOwnRefusal } from '../../failures/failures.ts';
import type { ServerDependencies } from '../../web/server/parts.ts';
import type { OutcomeKind } from './outcomes.ts';
import type { SiteStatus } from './site-status.ts';

/** Null for files that say nothing about the main formats. */
const kindOfWork: Readonly<Record<TicketFile['kind'], OutcomeKind | null>> = {
  video: 'videos',
  motion: 'photos',
  picture: 'photos',
  zip: 'photos',
  cover: 'photos',
  captions: null,
  slideshow: 'photos',
  image: 'photos',
  sound: 'sounds',
};

/** A request's kind; null for one that says nothing about the site. */
function kindOf({ method, routeOptions, workKind }: FastifyRequest): OutcomeKind | null {
  if (routeOptions.url === '/api/resolve') return 'links';
  const isFile = routeOptions.url === '/api/files/:ticket' && method === 'GET';
  return isFile && workKind !== null ? kindOfWork[workKind] : null;
}

/**
 * Null for a visitor's mistake, for what a limit of ours refuses, and for a file that did not come to its end: many just
 * look into it.
 */
function outcomeOf(
  { failureKey }: FastifyRequest,
  { statusCode, raw }: FastifyReply,
): 'succeeded' | 'failed' | null {
  if (failureKey !== null && isOwnRefusal(failureKey)) return null;
  if (statusCode >= 500) return 'failed';
  return statusCode < 300 && raw.writableFinished ? 'succeeded' : null;
}

/** Counts the outcomes of requests, and reports the site's health. */
export interface StatusCounter {
  /** Counts whatever it is told: the caller asks who counts. */
  count(kind: OutcomeKind, outcome: 'succeeded' | 'failed'): void;
  /** As it was at most ten seconds ago. */
  look(): Promise<SiteStatus>;
}

/** Counts the outcomes of links and files, and handles `GET /api/status`. */
export function statusEndpoints(
  app: FastifyInstance,
  status: StatusCounter,
  counts: ServerDependencies['counts'],
): void {
  app.addHook('onResponse', async (request, reply) => {
    const kind = kindOf(request);
    const outcome = kind === null ? null : outcomeOf(request, reply);
    if (kind === null || outcome === null) return;
    if (await counts(kind, request, outcome)) status.count(kind, outcome);
  });
  app.get('/api/status', async (_, reply) => {
    const { now, checkedAt, kinds, incidents } = await status.look();
    return reply.header('cache-control', 'public, max-age=10').send({
      code: 200,
      result: {
        state: now,
        checked_at: new Date(checkedAt).toISOString(),
        kinds: kinds.map((one) => ({ kind: one.kind, state: one.now, share: one.share, hours: one.hours })),
        incidents: incidents.map(({ text, beganAt, endedAt }) => ({
          text,
          began_at: new Date(beganAt).toISOString(),
          ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
        })),
      },
    });
  });
}
