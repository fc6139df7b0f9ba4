import { z } from 'zod';
import { failureKeys } from '../failures/failures.ts';

/**
 * The public JSON shapes of the API, as schemas: for its types (`site/api.ts`, all that browsers get), for its
 * description and for the tests that hold the answers against it.
 */

/** As a type any text: browsers that make files have keys of their own. */
const errorKey: z.ZodType<string> = z.enum(failureKeys);
const error = z.object({
  key: errorKey.describe('Stable; rely on this one.'),
  message: z.string().describe("In the request's language; may change."),
  hint: z.string().optional().describe('A second sentence that helps, in the same language.'),
  retry_after_s: z.int().optional().describe('Seconds to wait, as in Retry-After.'),
  link: z.url().optional().describe('The post that the text names, when it names one.'),
  other_link: z.url().optional().describe('Another post, when the text held a link to a second one.'),
});

export const errorResponse = z.object({
  code: z.int().describe('The HTTP status.'),
  error,
});

const may_have_watermark = z
  .literal(true)
  .optional()
  .describe("Videos that may carry TikTok's watermark, since it shows no other file right now.");

const option = z.object({
  id: z
    .string()
    .describe(
      'Stable within a post: mp4, mp4-hd, mp3, m4a, jpg-1 …, mp4-1 … of moving photos, zip, mp4-slideshow (all photos with the sound as one video).',
    ),
  format: z.enum(['mp4', 'mp3', 'm4a', 'jpg', 'zip']),
  label: z.string(),
  codec: z.string().nullable(),
  width: z
    .int()
    .nullable()
    .describe('Pixels; null for sound, zip and mp4-slideshow, and where the platform does not say.'),
  height: z.int().nullable().describe('Pixels.'),
  bytes: z.int().nullable().describe('File size; null when it is not known beforehand.'),
  href: z
    .string()
    .describe(
      'Path on this site that gives the file; of a page with another backend, its address there. Expires.',
    ),
  status_href: z.string().optional().describe('Converted files only: progress; DELETE cancels.'),
  preview_url: z.string().optional().describe('Photos and moving photos only.'),
  whole_only: z.literal(true).optional().describe('Videos of which no part can be had.'),
  may_have_watermark,
});

const version = z.object({
  codec: z.enum(['h264', 'h265']),
  width: z.int(),
  height: z.int(),
  fps: z.int().nullable().describe('Frames a second.'),
  bytes: z.int().nullable().describe('File size; null when it is not known beforehand.'),
  href: z.string().describe('Path on this site that gives the file. Expires.'),
  may_have_watermark,
});

const captions = z.object({
  language: z.string().describe('A language tag, such as en-US.'),
  origin: z
    .enum(['author', 'speech', 'translation'])
    .nullable()
    .describe('Who wrote them: the author, or a machine that listened or translated.'),
  href: z
    .string()
    .describe('Path that gives them as SubRip; as WebVTT with ?as=vtt, as text with ?as=txt. Expires.'),
});

export const resolveResponse = z.object({
  code: z.literal(200),
  result: z.object({
    post: z.object({
      platform: z.string().describe('Name of the platform, such as tiktok.'),
      id: z
        .string()
        .describe('Letters, digits, _ and -; one of digits alone may be larger than a number holds exactly.'),
      url: z.url(),
      kind: z.enum(['video', 'photos']),
      author: z.object({ handle: z.string(), name: z.string() }),
      title: z.string(),
      duration_s: z.number(),
      cover_url: z.string().nullable(),
      cover_href: z.string().optional().describe('Path that gives the cover as a file, at its full size.'),
      versions: z
        .array(version)
        .optional()
        .describe('Videos only: every encoding that can be had, the best first.'),
      captions: z.array(captions).optional().describe('What is said in a video, by language.'),
      sound: z
        .object({ title: z.string(), artist: z.string() })
        .nullish()
        .describe('The song that the sound is; null for a sound that came with the post.'),
      created_at: z.iso.datetime().nullable(),
      stats: z
        .object({ plays: z.number().nullable(), likes: z.number().nullable() })
        .optional()
        .describe('How often it was played and liked; absent where the platform does not say.'),
      thin: z
        .literal(true)
        .optional()
        .describe(
          'Videos only: the platform shows a part of the post right now. Better encodings and captions may exist; `again` looks for them.',
        ),
      slides: z
        .int()
        .min(1)
        .optional()
        .describe('Photos only: how many slides the post has, also those of which no file is offered.'),
    }),
    options: z.array(option),
    no_sound: z
      .enum(['missing', 'unsupported'])
      .optional()
      .describe(
        'Why no sound is offered: the post has none, or one that cannot be had or that nothing can be made of.',
      ),
    other_link: z.url().optional().describe('Another post, when the text held a link to a second one.'),
  }),
});

export const listRequest = z.object({
  url: z.string().min(1).max(4_000).describe('The address of a sound, a creator or a hashtag, or `@handle`.'),
});

export const listResponse = z.object({
  code: z.literal(200),
  result: z.object({
    kind: z.enum(['sound', 'creator', 'hashtag']),
    url: z.url(),
    title: z.string(),
    artist: z.string().describe('Of a sound; empty for other lists.'),
    picture_href: z.string().nullable().describe("The sound's cover or the creator's picture, as a file."),
    posts: z.array(z.url()).describe('The posts that the platform shows without a log-in, the newest first.'),
    sound: resolveResponse.shape.result
      .nullable()
      .describe('The sound itself, from one of the posts; null for other lists, and where no post has it.'),
  }),
});

export const conversionResponse = z.object({
  code: z.literal(200),
  result: z.object({
    state: z.enum(['idle', 'waiting', 'reading', 'converting', 'done', 'failed', 'cancelled']),
    ahead: z.int().nullable().describe('While waiting: how many conversions are ahead.'),
    progress: z.number().min(0).max(1),
    bytes: z.int().nullable(),
    error: error.nullable(),
    no_sound: z
      .literal('lost')
      .optional()
      .describe('The video of a slideshow is made without its sound, which cannot be had at present.'),
    missing_photos: z
      .int()
      .min(1)
      .optional()
      .describe('The video of a slideshow is made without so many photos, which cannot be fetched or read.'),
  }),
});

export const arrivalResponse = z.object({
  code: z.literal(200),
  result: z.object({
    // `unknown` when this instance had no request under that name; `sent` when every byte of the file was in a successful
    // response; `broken` when none is under way, and something is missing.
    state: z.enum(['unknown', 'sending', 'sent', 'broken']),
    bytes: z.number().int().describe('Bytes of the file that were sent, each counted once.'),
    missing_photos: z.int().min(1).optional().describe('Photos that the zip of a slideshow lacks.'),
  }),
});

export const readyResponse = z.object({
  code: z.literal(200),
  result: z.object({ name: z.string().describe('The name that the file will have.') }),
});

export const cancelResponse = z.object({
  code: z.literal(200),
  result: z.object({ cancelled: z.boolean() }),
});

export const resolveRequest = z.object({
  url: z.string().describe('A link to a post, or a text with one in its first 4,000 characters.'),
  again: z
    .boolean()
    .optional()
    .describe(
      'Reads a post that was answered as `thin` once more; the answer stays as it was when that fails.',
    ),
});
