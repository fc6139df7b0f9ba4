import { captionFormats } from '../../downloader/captions/write-captions.ts';
import { json, locale, type Paths } from './describe.ts';
import { arrivalResponse, cancelResponse, conversionResponse, readyResponse } from './schemas.ts';

const ticket = {
  name: 'ticket',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Signed and expiring; comes from an `href` of `POST /api/resolve`.',
} as const;

const as = {
  name: 'as',
  in: 'query',
  schema: { type: 'string', enum: captionFormats, default: 'srt' },
  description: 'Of captions: what they come as.',
} as const;
/** The parameters for a part of a video or a sound. */
const cut = [
  [
    'from',
    'Where a part of an mp4, mp3 or m4a begins: seconds of the video, or like 1:02.5, rounded down to hundredths. An mp4 begins with the key frame before.',
  ],
  ['to', 'Where it ends, rounded up to hundredths; behind the end means the end.'],
  ['silent', '1 for an mp4 without its sound.'],
  ['ringtone', '1 for 30 seconds of an mp3 or m4a from `from` on that fade out; the m4a is named .m4r.'],
].map(([name, description]) => ({ name, in: 'query', schema: { type: 'string' }, description }));

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
      responses: {
        200: { description: 'It can be fetched.', content: json(readyResponse) },
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
        description:
          'The name under which the file is fetched, with the same parameter. For several files, the ticket is `zip`.',
      },
    ],
    get: {
      operationId: 'getArrival',
      summary:
        'How a file gets on that is being fetched from this instance: sent when all of it was, in one response or several.',
      responses: {
        200: { description: 'The present state.', content: json(arrivalResponse) },
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
          content: { ...json(conversionResponse), 'text/event-stream': { schema: { type: 'string' } } },
        },
      },
    },
    delete: {
      operationId: 'cancel',
      summary: 'Cancels the conversion for this visitor.',
      responses: {
        200: { description: 'Whether there was one.', content: json(cancelResponse) },
      },
    },
  },
};
