import type { FastifyInstance } from 'fastify';
import { sendText } from '../http/send.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { ServerParts } from '../parts.ts';

/** `GET /api/openapi.json`, made at the first request because few ask for it. */
export function openApiEndpoint(
  app: FastifyInstance,
  { origin, statistics, push, configuration: { visitors } }: ServerParts,
): void {
  const calls = { hasStatistics: statistics !== null && visitors.consent !== 'off', hasPush: push !== null };
  let text: string | undefined;
  app.get('/api/openapi.json', (request, reply) => {
    text ??= JSON.stringify(openApiDocument(origin, calls));
    reply.header('access-control-allow-origin', '*');
    return sendText(text, { type: 'application/json', maxAgeS: 3600 }, request, reply);
  });
}
