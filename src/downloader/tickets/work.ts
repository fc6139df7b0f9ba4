import { z } from 'zod';
import { cutSchema, readCut, writeCut } from '../cutting/cut.ts';
import { platformName, postId } from '../posts/names.ts';
import type { PostReference } from '../posts/post.ts';

const post = z.object({
  platform: platformName,
  id: postId,
  way: z.string().optional(),
}) satisfies z.ZodType<PostReference>;

/** Highest number of a slideshow's picture that a ticket can name. */
const index = z.number().int().min(0).max(99);

/** Widths that our own small pictures are made in; a closed list keeps their cache small. */
export const pictureWidths = [96, 160, 320, 480, 720] as const;
export type PictureWidth = (typeof pictureWidths)[number];
const width = z.literal(pictureWidths);

const image = { kind: z.literal('image'), post, width };

/** What is wanted of it when not all. */
const cut = cutSchema.optional();

const workSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), post, variant: z.enum(['default', 'hd']), cut }),
  z.object({
    ...{ kind: z.literal('sound'), post, format: z.enum(['mp3', 'm4a']), cut },
    waiter: z.string().optional(),
  }),
  z.object({ kind: z.literal('picture'), post, index }),
  z.object({ kind: z.literal('motion'), post, index }),
  z.object({ kind: z.literal('zip'), post }),
  z.discriminatedUnion('what', [
    z.object({ ...image, what: z.literal('cover') }),
    z.object({ ...image, what: z.literal('picture'), index }),
  ]),
]);

/**
 * What a ticket stands for. It names the post and never an address, so that any instance can do it at any time.
 * `post.way` says where the post is best read again and is no part of what is done; nor is `waiter`, whom the file was
 * offered to.
 * `index` counts slides from 0; `motion` is a slide's video; `image` is one of our own resized pictures, `width` in
 * pixels.
 */
export type Work = z.infer<typeof workSchema>;

/** A conversion described completely: any instance can do it, also after a restart. */
export type SoundWork = Extract<Work, { kind: 'sound' }>;

/** The work as dot-separated words of `[A-Za-z0-9_-]`; the same work is always the same text, whatever its way out and its waiter. */
export function writeWork(work: Work): string {
  const whole = `${work.post.platform}.${work.post.id}.${writeWhat(work)}`;
  return 'cut' in work && work.cut !== undefined ? `${whole}.${writeCut(work.cut)}` : whole;
}

function writeWhat(work: Work): string {
  switch (work.kind) {
    case 'video':
      return work.variant === 'hd' ? 'mp4-hd' : 'mp4';
    case 'sound':
      return work.format;
    case 'picture':
      return `jpg-${work.index}`;
    case 'motion':
      return `mp4-s-${work.index}`;
    case 'zip':
      return 'zip';
    case 'image':
      return work.what === 'picture' ? `picture-${work.index}-${work.width}` : `${work.what}-${work.width}`;
  }
}

/** The opposite of {@link writeWork}; null for text that it never writes. */
export function readWork(text: string): Work | null {
  const [platform, id, what, cutText, ...rest] = text.split('.');
  if (what === undefined || rest.length > 0) return null;
  const part = cutText === undefined ? {} : { cut: readCut(cutText) };
  const parsed = workSchema.safeParse({ post: { platform, id }, ...readWhat(what), ...part });
  if (!parsed.success) return null;
  // One work has one spelling: "jpg-03" would otherwise be a second name of "jpg-3".
  return writeWork(parsed.data) === text ? parsed.data : null;
}

function readWhat(what: string): Record<string, unknown> {
  const [word, first, second] = what.split('-');
  switch (word) {
    case 'mp4':
      if (first === 's') return { kind: 'motion', index: Number(second) };
      return { kind: 'video', variant: first === 'hd' ? 'hd' : 'default' };
    case 'mp3':
    case 'm4a':
      return { kind: 'sound', format: word };
    case 'jpg':
      return { kind: 'picture', index: Number(first) };
    case 'zip':
      return { kind: 'zip' };
    case 'cover':
      return { kind: 'image', what: word, width: Number(first) };
    case 'picture':
      return { kind: 'image', what: word, index: Number(first), width: Number(second) };
    default:
      return {};
  }
}
