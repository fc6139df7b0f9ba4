import { z } from 'zod';
import {
  arrivalResponse,
  cancelResponse,
  conversionResponse,
  listRequest,
  listResponse,
  readyResponse,
  resolveRequest,
  resolveResponse,
} from '../../api/schemas.ts';
import { captionFormats } from '../../downloader/captions/caption-files.ts';
import { answer, json, locale, type Paths, query, success } from './describe.ts';

const listed = (description: string, data: object) => ({
  200: {
    description,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { cscode: { const: 200 }, data },
          required: ['cscode', 'data'],
        },
      },
    },
  },
});
const number = { type: 'integer', minimum: 0 };
const language = query('language', 'A language of the site.', {}, true);
const ignored = query('origin_url', 'Not looked at.');
const articles = { type: 'array', items: { type: 'object' } } as const;

/** The calls after the lists of articles and categories. */
const contentPaths: Paths = {
  '/category/list': {
    get: {
      operationId: 'listCategories',
      summary: 'The categories of articles.',
      parameters: [
        language,
        query('is_simple', '1 leaves out descriptions and counts.', { enum: ['0', '1'] }),
        ignored,
      ],
      responses: listed('The categories, each with its children.', articles),
    },
  },
  '/stars/article/recently_hot_article': {
    get: {
      operationId: 'listArticles',
      summary: 'The articles that are read most lately, read most of all, and newest.',
      parameters: [
        language,
        query('module', 'Always posts.', { enum: ['posts'] }),
        query('len', 'How many of each.', { ...number, maximum: 100, default: 10 }),
        query('start', 'How many of each to leave out.', { ...number, default: 0 }),
        ignored,
      ],
      responses: listed('The three lists.', {
        type: 'object',
        properties: { hot: articles, top: articles, recently: articles },
        required: ['hot', 'top', 'recently'],
      }),
    },
  },
};

const ticket = {
  name: 'ticket',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Signed and expiring; comes from an `href` of `POST /api/resolve`.',
} as const;

const as = query('as', 'Of captions: what they come as.', { enum: captionFormats, default: 'srt' });

/** The parameters for a part of a video or a sound. */
const cut = [
  query(
    'from',
    'Where a part of an mp4, mp3 or m4a begins: seconds of the video, or like 1:02.5, rounded down to hundredths. An mp4 begins with the key frame before.',
  ),
  query('to', 'Where it ends, rounded up to hundredths; behind the end means the end.'),
  query('silent', '1 for an mp4 without its sound.'),
  query('ringtone', '1 for 30 seconds of an mp3 or m4a from `from` on that fade out; the m4a is named .m4r.'),
];

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

/** The calls after a file of a post, and after its conversion. */
const filePaths: Paths = {
  '/api/files/{ticket}': {
    parameters: [ticket, locale, as, ...cut],
    get: {
      operationId: 'getFile',
      summary: 'The file. Range and If-Range work on mp4 and on finished mp3 and m4a.',
      responses: { 200: file, 206: { ...file, description: 'The part that was asked for.' } },
    },
    head: {
      operationId: 'headFile',
      summary: 'The headers of the file.',
      responses: { 200: { description: 'The headers of the file.' } },
    },
  },
  '/api/files/{ticket}/ready': {
    parameters: [ticket, locale, ...cut],
    get: {
      operationId: 'isReady',
      summary:
        'Answers when the file can be fetched, or with the error that fetching it would give. Starts a conversion and waits for it.',
      responses: answer('It can be fetched.', readyResponse),
    },
  },
  '/api/files/{ticket}/arrival': {
    parameters: [
      ticket,
      query(
        'press',
        'The name under which the file is fetched, with the same parameter. For several files, the ticket is `zip`.',
        { pattern: '^[0-9a-f]{32}$' },
        true,
      ),
    ],
    get: {
      operationId: 'getArrival',
      summary:
        'How a file gets on that is being fetched from this instance: sent when all of it was, in one response or several.',
      responses: answer('The present state.', arrivalResponse),
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
          content: { ...json(conversionResponse), 'text/event-stream': { schema: { type: 'string' } } },
        },
      },
    },
    delete: {
      operationId: 'cancel',
      summary: 'Cancels the conversion for this visitor.',
      responses: answer('Whether there was one.', cancelResponse),
    },
  },
};

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
