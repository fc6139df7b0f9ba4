import type { FastifyInstance } from 'fastify';
import { type SharedText, sendText, sharedText } from '../http/responses/send.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { type DescribePaths, openApiDocument } from '../openapi/document.ts';

/**
 * `GET /api/openapi.json`, built at the first request, since few request it.
 * @param others describe the calls of features
 */
export function openApiEndpoint(
  app: FastifyInstance,
  { origin, limits }: ServerDependencies,
  others: readonly DescribePaths[],
): void {
  let text: SharedText | undefined;
  app.get('/api/openapi.json', async (request, reply) => {
    await limits.lists(request.visitor);
    text ??= sharedText(JSON.stringify(openApiDocument(origin, others)));
    reply.header('access-control-allow-origin', '*');
    return sendText(text, { type: 'application/json', maxAgeS: 3600 }, request, reply);
  });
}
