import { arrivalResponse, cancelResponse, conversionResponse, readyResponse } from '../../api/schemas.ts';
import { captionFormats } from '../../downloader/captions/caption-files.ts';
import { answer, json, locale, type Paths, query } from './describe.ts';

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
export const filePaths: Paths = {
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
