import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi/document.ts';
import type { ServerParts } from '../parts.ts';

/** `GET /api/openapi.json`, made at the first request because few ask for it. */
export function openApiEndpoint(app: FastifyInstance, { origin }: ServerParts): void {
  let text: string | undefined;
  app.get('/api/openapi.json', (_, reply) => {
    text ??= JSON.stringify(openApiDocument(origin));
    return reply
      .type('application/json')
      .headers({ 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' })
      .send(text);
  });
}
