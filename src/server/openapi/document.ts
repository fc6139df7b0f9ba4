import { z } from 'zod';
import { statuses } from '../http/responses/statuses.ts';
import { contentPaths } from './content.ts';
import { json, locale, success } from './describe.ts';
import { filePaths } from './files.ts';
import { errorResponse, resolveRequest, resolveResponse } from './schemas.ts';

/** The call after the state of a page. */
const statePath = (errors: object) => ({
  '/api/state': {
    get: {
      operationId: 'getState',
      summary: 'What the site knows of one of its pages and of the request; developer mode shows it.',
      parameters: [
        {
          name: 'path',
          in: 'query',
          schema: { type: 'string', default: '/' },
          description: 'Of the page, with its query.',
        },
      ],
      responses: {
        ...success('The state.', z.object({ code: z.literal(200), data: z.looseObject({}) })),
        ...errors,
      },
    },
  },
});

const page = {
  name: 'page',
  in: 'query',
  schema: { type: 'string' },
  description:
    'Address of a tool page of this site, like `/`: where the site has another backend resolve the links of that page, that backend gives the answer, and the files are there. Without it, this site answers itself.',
} as const;

/** One entry for each status of failures, naming the keys with that status. */
function failures(): Record<string, object> {
  const keys = new Map<number, string[]>();
  for (const [key, status] of Object.entries(statuses)) keys.set(status, [...(keys.get(status) ?? []), key]);
  const answers = [...keys].map(([status, names]) => [
    String(status),
    { description: `\`key\` is one of: ${names.join(', ')}.`, content: json(errorResponse) },
  ]);
  return Object.fromEntries(answers) as Record<string, object>;
}

/** Adds paths to the description. @param errors the responses that every call may have */
export type DescribePaths = (errors: object) => Record<string, object>;

/**
 * The API's description (OpenAPI 3.1).
 * @param origin public origin of this site
 * @param others describe the calls of features
 */
export function openApiDocument(origin: string, others: readonly DescribePaths[]): object {
  const errors = failures();
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
    paths: {
      '/api/resolve': {
        post: {
          operationId: 'resolve',
          summary: 'What a link leads to and which files it offers.',
          parameters: [locale, page],
          requestBody: { required: true, content: json(resolveRequest) },
          responses: {
            200: { description: 'The post and its files.', content: json(resolveResponse) },
            ...errors,
          },
        },
      },
      ...filePaths(errors),
      ...contentPaths(errors),
      ...statePath(errors),
      ...Object.assign({}, ...others.map((describe) => describe(errors))),
    },
    components: {
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
