import type { FastifyInstance } from 'fastify';
import { errorResponse } from '../../api/schemas.ts';
import { joined } from '../../process/joined.ts';
import { type SharedText, sendText, sharedText } from '../http/responses/send.ts';
import { statuses } from '../http/responses/statuses.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { corePaths } from './core-paths.ts';
import { json, type Paths } from './describe.ts';

/** The responses that every call may have: one for each status of failures, naming the keys with that status. */
function failures(): Record<string, object> {
  const keys = new Map<number, string[]>();
  for (const [key, status] of Object.entries(statuses)) keys.set(status, [...(keys.get(status) ?? []), key]);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    [...keys].map(([status, names]) => [
      status,
      { description: `\`key\` is one of: ${names.join(', ')}.`, content },
    ]),
  );
}

/**
 * The API's description (OpenAPI 3.1).
 * @param origin public origin of this site
 * @param paths its calls
 */
export function openApiDocument(origin: string, paths: Paths): object {
  const responses = failures();
  const errors = Object.fromEntries(
    Object.keys(responses).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );
  const described = Object.entries(paths).map(([path, { parameters, ...calls }]) => {
    const complete = Object.entries(calls).map(([method, call]) => [
      method,
      { ...call, responses: { ...errors, ...call.responses } },
    ]);
    return [path, { parameters, ...Object.fromEntries(complete) }];
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clipferry',
      version: '1',
      description:
        'Resolve a link to a public TikTok post and get its files: mp4 without the watermark, mp3, m4a, pictures.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: origin }],
    // Both are allowed: without a key, the limits of a visitor apply.
    security: [{}, { key: [] }],
    paths: Object.fromEntries(described),
    components: {
      responses,
      schemas: { Error: json(errorResponse)['application/json'].schema },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A key of the operator, with limits of its own.',
        },
      },
    },
  };
}

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
