import { z } from 'zod';
import { captionFormats } from '../../downloader/captions/write-captions.ts';
import { statuses } from '../http/answers/statuses.ts';
import { contentPaths } from './content.ts';
import {
  arrivalAnswer,
  cancelAnswer,
  conversionAnswer,
  errorAnswer,
  readyAnswer,
  resolveAnswer,
  resolveRequest,
} from './schemas.ts';
import { statePath } from './state.ts';

const json = (schema: z.ZodType) => {
  const { $schema: _, ...body } = z.toJSONSchema(schema);
  return { 'application/json': { schema: body } };
};

const ticket = {
  name: 'ticket',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Signed and expiring; comes from an `href` of `POST /api/resolve`.',
} as const;

const locale = {
  name: 'locale',
  in: 'query',
  schema: { type: 'string' },
  description: 'Language of messages; otherwise Accept-Language decides.',
} as const;

const as = {
  name: 'as',
  in: 'query',
  schema: { type: 'string', enum: captionFormats, default: 'srt' },
  description: 'Of captions: what they come as.',
} as const;
/** What may be asked for of a video or a sound. */
const cut = [
  [
    'from',
    'Where a part of an mp4, mp3 or m4a begins: seconds, or like 1:02.5. An mp4 begins with the key frame before.',
  ],
  ['to', 'Where it ends; behind the end means the end.'],
  ['ringtone', '1 for 30 seconds of an mp3 or m4a from `from` on that fade out; the m4a is named .m4r.'],
].map(([name, description]) => ({ name, in: 'query', schema: { type: 'string' }, description }));

const page = {
  name: 'page',
  in: 'query',
  schema: { type: 'string' },
  description:
    'Address of a tool page of this site, like `/`: where the site has another backend resolve the links of that page, that backend gives the answer, and the files are there. Without it, this site answers itself.',
} as const;

/** One entry for each status that a failure can have, naming the keys that come with it. */
function failures(): Record<string, object> {
  const keys = new Map<number, string[]>();
  for (const [key, status] of Object.entries(statuses)) keys.set(status, [...(keys.get(status) ?? []), key]);
  const answers = [...keys].map(([status, names]) => [
    String(status),
    { description: `\`key\` is one of: ${names.join(', ')}.`, content: json(errorAnswer) },
  ]);
  return Object.fromEntries(answers) as Record<string, object>;
}

const file = {
  description: 'The file, as an attachment with its name.',
  content: Object.fromEntries(
    [
      'video/mp4',
      'audio/mpeg',
      'audio/mp4',
      'image/jpeg',
      'image/heic',
      'image/avif',
      'application/zip',
      'application/x-subrip',
      'text/vtt',
      'text/plain',
    ].map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  ),
};

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
            200: { description: 'The post and its files.', content: json(resolveAnswer) },
            ...errors,
          },
        },
      },
      '/api/files/{ticket}': {
        parameters: [ticket, locale, as, ...cut],
        get: {
          operationId: 'getFile',
          summary: 'The file. Range and If-Range work on mp4 and on finished mp3 and m4a.',
          responses: { 200: file, 206: { ...file, description: 'The part that was asked for.' }, ...errors },
        },
        head: {
          operationId: 'headFile',
          summary: 'The headers of the file.',
          responses: { 200: { description: 'The headers of the file.' }, ...errors },
        },
      },
      '/api/files/{ticket}/ready': {
        parameters: [ticket, locale, ...cut],
        get: {
          operationId: 'isReady',
          summary:
            'Answers when the file can be fetched, or with the error that fetching it would give. Starts a conversion and waits for it.',
          responses: {
            200: { description: 'It can be fetched.', content: json(readyAnswer) },
            ...errors,
          },
        },
      },
      '/api/files/{ticket}/arrival': {
        parameters: [
          ticket,
          {
            name: 'press',
            in: 'query',
            required: true,
            schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
            description: 'The name under which the file is fetched, with the same parameter.',
          },
        ],
        get: {
          operationId: 'getArrival',
          summary: 'How a file gets on that is being fetched from this instance.',
          responses: {
            200: { description: 'The present state.', content: json(arrivalAnswer) },
            ...errors,
          },
        },
      },
      '/api/files/{ticket}/status': {
        parameters: [ticket, locale, ...cut],
        get: {
          operationId: 'getStatus',
          summary:
            'How a conversion is doing: once as JSON, or every change as a `status` event with Accept: text/event-stream.',
          responses: {
            200: {
              description: 'The present state.',
              content: { ...json(conversionAnswer), 'text/event-stream': { schema: { type: 'string' } } },
            },
            ...errors,
          },
        },
        delete: {
          operationId: 'cancel',
          summary: 'Cancels the conversion for this visitor.',
          responses: {
            200: { description: 'Whether there was one.', content: json(cancelAnswer) },
            ...errors,
          },
        },
      },
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
