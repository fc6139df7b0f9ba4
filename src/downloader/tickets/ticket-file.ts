import { z } from 'zod';
import { cutSchema, readCut, writeCut } from '../cutting/cut.ts';
import { referenceSchema as post } from '../post/post.ts';

/** Highest number of a slideshow's picture that a ticket can name. */
const index = z.number().int().min(0).max(99);

/** Widths of our resized pictures; a closed list keeps their cache small. */
export const pictureWidths = [96, 160, 320, 480, 720] as const;
export type PictureWidth = (typeof pictureWidths)[number];
const width = z.literal(pictureWidths);

/** A language tag, in a ticket between two dashes and the end. */
const language = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/);
const pixels = z.number().int().min(1).max(99_999);
const version = z.object({ codec: z.enum(['h264', 'h265']), width: pixels, height: pixels });

const image = { kind: z.literal('image'), post, width };

/** The requested part; absent for the whole. */
const cut = cutSchema.optional();

const fileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('video'), post, variant: z.union([z.enum(['default', 'hd']), version]), cut }),
  z.object({
    ...{ kind: z.literal('sound'), post, format: z.enum(['mp3', 'm4a']), cut },
    /** The whole sound as the platform has it, instead of the post's. */
    song: z.literal(true).optional(),
    waiter: z.string().optional(),
  }),
  z.object({ kind: z.literal('slideshow'), post, waiter: z.string().optional() }),
  z.object({ kind: z.literal('picture'), post, index }),
  z.object({ kind: z.literal('motion'), post, index }),
  z.object({ kind: z.literal('zip'), post }),
  z.object({ kind: z.literal('cover'), post }),
  z.object({ kind: z.literal('captions'), post, language }),
  z.discriminatedUnion('what', [
    z.object({ ...image, what: z.literal('cover') }),
    z.object({ ...image, what: z.literal('picture'), index }),
  ]),
]);

/**
 * The file that a ticket stands for. It names the post and never an address, so that any instance can serve it at any
 * time. `post.way` says where the post is best read again and is not part of the file; nor is `waiter`, the visitor
 * it was offered to. `slideshow` is the video that we make of a slideshow's pictures and sound. `index` counts slides
 * from 0; `motion` is a slide's video; `cover` is the platform's own file; `image` is one of our resized pictures,
 * `width` in pixels.
 */
export type TicketFile = z.infer<typeof fileSchema>;

export type TicketSound = Extract<TicketFile, { kind: 'sound' }>;
export type TicketSlideshow = Extract<TicketFile, { kind: 'slideshow' }>;

/** A conversion described completely: any instance can do it, also after a restart. */
export type TicketConversion = TicketSound | TicketSlideshow;

/** The format that a conversion makes. */
export const formatOf = (work: TicketConversion): 'mp3' | 'm4a' | 'mp4' =>
  work.kind === 'slideshow' ? 'mp4' : work.format;

/** Whether we make the file of a work. */
export const isConversion = (work: TicketFile): work is TicketConversion =>
  work.kind === 'sound' || work.kind === 'slideshow';

/**
 * The work as dot-separated words of `[A-Za-z0-9_-]`; equal work gives equal text, whatever its egress and its waiter.
 */
export function writeTicketFile(work: TicketFile): string {
  const whole = `${work.post.platform}.${work.post.id}.${writeWhat(work)}`;
  return 'cut' in work && work.cut !== undefined ? `${whole}.${writeCut(work.cut)}` : whole;
}

function writeWhat(work: TicketFile): string {
  switch (work.kind) {
    case 'video': {
      const { variant } = work;
      if (typeof variant === 'object') return `mp4-v-${variant.codec}-${variant.width}-${variant.height}`;
      return variant === 'hd' ? 'mp4-hd' : 'mp4';
    }
    case 'sound':
      return work.song ? `${work.format}-song` : work.format;
    case 'slideshow':
      return 'mp4-slideshow';
    case 'picture':
      return `jpg-${work.index}`;
    case 'motion':
      return `mp4-s-${work.index}`;
    case 'zip':
      return 'zip';
    case 'cover':
      return 'cover';
    case 'captions':
      return `cc-${work.language}`;
    case 'image':
      return work.what === 'picture' ? `picture-${work.index}-${work.width}` : `${work.what}-${work.width}`;
  }
}

/** The opposite of {@link writeTicketFile}; null for text that it never writes. */
export function readTicketFile(text: string): TicketFile | null {
  const [platform, id, what, cutText, ...rest] = text.split('.');
  if (what === undefined || rest.length > 0) return null;
  const part = cutText === undefined ? {} : { cut: readCut(cutText) };
  const parsed = fileSchema.safeParse({ post: { platform, id }, ...readWhat(what), ...part });
  if (!parsed.success) return null;
  // Each work has one spelling: "jpg-03" would otherwise be a second name of "jpg-3".
  return writeTicketFile(parsed.data) === text ? parsed.data : null;
}

function readWhat(what: string): Record<string, unknown> {
  const [word, first, second, ...further] = what.split('-');
  switch (word) {
    case 'mp4':
      if (first === 'slideshow') return { kind: 'slideshow' };
      if (first === 's') return { kind: 'motion', index: Number(second) };
      if (first === 'v') {
        const [width, height] = further.map(Number);
        return { kind: 'video', variant: { codec: second, width, height } };
      }
      return { kind: 'video', variant: first === 'hd' ? 'hd' : 'default' };
    case 'mp3':
    case 'm4a':
      return { kind: 'sound', format: word, ...(first === 'song' && { song: true }) };
    case 'jpg':
      return { kind: 'picture', index: Number(first) };
    case 'zip':
      return { kind: 'zip' };
    case 'cc':
      return { kind: 'captions', language: what.slice(word.length + 1) };
    case 'cover':
      if (first === undefined) return { kind: 'cover' };
      return { kind: 'image', what: word, width: Number(first) };
    case 'picture':
      return { kind: 'image', what: word, index: Number(first), width: Number(second) };
    default:
      return {};
  }
}
