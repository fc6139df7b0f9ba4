import { readyResponse } from '../../api/schemas.ts';
import { json, locale, type Paths } from '../../server/openapi/describe.ts';
import { mostListed } from '../../site/pages/tool/link-box/typed-links.ts';

const parameters = [
  {
    name: 'file',
    in: 'query',
    required: true,
    explode: true,
    schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: mostListed },
    description: 'Tickets of videos, sounds and zips of slideshows: the last part of their `href`.',
  },
  locale,
];

const zip = {
  description:
    'The zip, as an attachment with its name. It has a `Content-Length` where every size is known beforehand, as of videos.',
  content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
};

/** The calls that give several files at once, in the description of the API. */
export const zipPaths: Paths = {
  '/api/files/zip': {
    parameters,
    get: {
      operationId: 'getZip',
      summary: `Up to ${mostListed} files as one zip, as they come. What cannot be had is named in its missing.txt.`,
      responses: { 200: zip },
    },
    head: {
      operationId: 'headZip',
      summary: 'The headers of the zip, without its length.',
      responses: { 200: { description: 'The headers of the zip.' } },
    },
  },
  '/api/files/zip/ready': {
    parameters,
    get: {
      operationId: 'isZipReady',
      summary:
        'Answers when the first of the files can be fetched, or with the error that the zip would give.',
      responses: { 200: { description: 'It can be fetched.', content: json(readyResponse) } },
    },
  },
};
