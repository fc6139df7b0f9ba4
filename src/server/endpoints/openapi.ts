import type { FastifyInstance } from 'fastify';
import { joined } from '../../process/joined.ts';
import { type SharedText, sendText, sharedText } from '../http/responses/send.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import type { Paths } from '../openapi/describe.ts';
import { corePaths, openApiDocument } from '../openapi/document.ts';

/**
 * `GET /api/openapi.json`, built at the first request, since few request it.
 * @param ofFeatures the calls of each feature
 */
export function openApiEndpoint(
  app: FastifyInstance,
  { origin, limits }: ServerDependencies,
  ofFeatures: readonly (Paths | undefined)[],
): void {
  const paths = joined('call of the API', [corePaths, ...ofFeatures]);
  let text: SharedText | undefined;
  app.get('/api/openapi.json', async (request, reply) => {
    await limits.lists(request.visitor);
    text ??= sharedText(JSON.stringify(openApiDocument(origin, paths)));
    reply.header('access-control-allow-origin', '*');
    return sendText(text, { type: 'application/json', maxAgeS: 3600 }, request, reply);
  });
}
