import type { FastifyInstance } from 'fastify';
import { type SharedText, sendText, sharedText } from '../http/send.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { ServerParts } from '../server/parts.ts';

/** `GET /api/openapi.json`, made at the first request because few ask for it. */
export function openApiEndpoint(
  app: FastifyInstance,
  { origin, statistics, push, limits, configuration: { visitors } }: ServerParts,
): void {
  const calls = { hasStatistics: statistics !== null && visitors.consent !== 'off', hasPush: push !== null };
  let text: SharedText | undefined;
  app.get('/api/openapi.json', async (request, reply) => {
    await limits.lists(request.visitor);
    text ??= sharedText(JSON.stringify(openApiDocument(origin, calls)));
    reply.header('access-control-allow-origin', '*');
    return sendText(text, { type: 'application/json', maxAgeS: 3600 }, request, reply);
  });
}
