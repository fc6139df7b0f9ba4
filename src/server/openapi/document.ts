import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  errorResponse,
  listRequest,
  listResponse,
  resolveRequest,
  resolveResponse,
} from '../../api/schemas.ts';
import { joined } from '../../process/joined.ts';
import { type SharedText, sendText, sharedText } from '../http/responses/send.ts';
import { statuses } from '../http/responses/statuses.ts';
import type { ServerDependencies } from '../instance/parts.ts';
import { contentPaths } from './content.ts';
import { answer, json, locale, type Paths, query, success } from './describe.ts';
import { filePaths } from './files.ts';

const page = query(
  'page',
  'Address of a tool page of this site, like `/`: where the site has another backend resolve the links of that page, that backend gives the answer, and the files are there. Without it, this site answers itself.',
);

/** The calls of the core, whatever features a site has. */
export const corePaths: Paths = {
  '/api/resolve': {
    post: {
      operationId: 'resolve',
      summary: 'What a link leads to and which files it offers.',
      parameters: [locale, page],
      requestBody: { required: true, content: json(resolveRequest) },
      responses: answer('The post and its files.', resolveResponse),
    },
  },
  '/api/list': {
    post: {
      operationId: 'list',
      summary: 'The posts of a sound, a creator or a hashtag that the platform shows without a log-in.',
      parameters: [locale],
      requestBody: { required: true, content: json(listRequest) },
      responses: answer('The posts, and a sound itself.', listResponse),
    },
  },
  '/api/list/picture': {
    get: {
      operationId: 'getListPicture',
      summary: "A sound's cover or a creator's picture, as an attachment: the `picture_href` of a list.",
      parameters: [query('url', 'Of the list.', {}, true)],
      responses: {
        200: {
          description: 'The picture.',
          content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } },
        },
      },
    },
  },
  ...filePaths,
  ...contentPaths,
  '/api/state': {
    get: {
      operationId: 'getState',
      summary: 'What the site knows of one of its pages and of the request; developer mode shows it.',
      parameters: [query('path', 'Of the page, with its query.', { default: '/' })],
      responses: success('The state.', z.object({ code: z.literal(200), data: z.looseObject({}) })),
    },
  },
};

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
