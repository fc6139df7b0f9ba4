import { z } from 'zod';
import { readyResponse } from '../../server/openapi/schemas.ts';
import { mostLinks } from './most-links.ts';

const parameters = [
  {
    name: 'file',
    in: 'query',
    required: true,
    explode: true,
    schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: mostLinks },
    description: 'Tickets of videos, sounds and zips of slideshows: the last part of their `href`.',
  },
  {
    name: 'locale',
    in: 'query',
    schema: { type: 'string' },
    description: 'Language of messages; otherwise Accept-Language decides.',
  },
];

/** The calls that give several files at once, for the API's description. @param errors responses that every call may have */
export function zipPaths(errors: object): Record<string, object> {
  const zip = {
    description:
      'The zip, as an attachment with its name. It has a `Content-Length` where every size is known beforehand, as of videos.',
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  };
  const { $schema: _, ...ready } = z.toJSONSchema(readyResponse);
  return {
    '/api/files/zip': {
      parameters,
      get: {
        operationId: 'getZip',
        summary: `Up to ${mostLinks} files as one zip, as they come. What cannot be had is named in its missing.txt.`,
        responses: { 200: zip, ...errors },
      },
      head: {
        operationId: 'headZip',
        summary: 'The headers of the zip, without its length.',
        responses: { 200: { description: 'The headers of the zip.' }, ...errors },
      },
    },
    '/api/files/zip/ready': {
      parameters,
      get: {
        operationId: 'isZipReady',
        summary:
          'Answers when the first of the files can be fetched, or with the error that the zip would give.',
        responses: {
          200: { description: 'It can be fetched.', content: { 'application/json': { schema: ready } } },
          ...errors,
        },
      },
    },
  };
}
