import type { FastifyInstance } from 'fastify';
import type { ArrivalResponse } from '../../../site/api.ts';
import type { ServerDependencies } from '../../instance/parts.ts';

/**
 * `GET /api/files/{ticket}/arrival?press=`: how a file gets on that was fetched with the same `press`. Only the page that
 * made up this name knows it: the ticket is not needed, and may have expired since.
 */
export function arrivalEndpoint(
  app: FastifyInstance,
  { arrivals, limits }: Pick<ServerDependencies, 'arrivals' | 'limits'>,
): void {
  app.get('/api/files/:ticket/arrival', async (request, reply) => {
    await limits.status(request.visitor);
    const response: ArrivalResponse = { code: 200, result: arrivals.of(request.query) };
    return reply.header('cache-control', 'no-store').send(response);
  });
}
