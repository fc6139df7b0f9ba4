import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FileNaming, fileName } from '../../../downloader/media/file-names.ts';
import { type ZipEntry, zipFiles } from '../../../downloader/media/zip.ts';
import { type AlbumPart, readAlbum, type SlidePart } from '../../../downloader/pictures/album.ts';
import type { HeldFile, PictureType } from '../../../downloader/pictures/pictures.ts';
import type { MediaSource, Post } from '../../../downloader/post/post.ts';
import { readFresh } from '../../../downloader/posts/fresh-source.ts';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import { translateTo } from '../../../i18n/catalogue.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { onceClosed } from '../../http/disconnect.ts';
import { localeOf } from '../../instance/errors.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { fileHeaders, nameParts, sendBytes } from './sending.ts';

type StillWork = Extract<TicketFile, { kind: 'picture' | 'cover' }>;
type ZipWork = Extract<TicketFile, { kind: 'zip' }>;
type PictureParts = Pick<ServerDependencies, 'resolver' | 'pictures'>;

const extensions = {
  'image/jpeg': 'jpg',
  'image/heic': 'heic',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
} as const satisfies Record<PictureType | 'video/mp4', string>;

/** The name of a slide's file, with the slide's own number regardless of the other slides. */
export const slideName = (
  post: Post,
  index: number,
  type: keyof typeof extensions,
  naming: FileNaming,
): string =>
  fileName(
    { ...nameParts(post), suffix: String(index + 1).padStart(2, '0'), extension: extensions[type] },
    naming,
  );

const zipName = (post: Post, naming: FileNaming) =>
  fileName({ ...nameParts(post), extension: 'zip' }, naming);

/**
 * Applies a function to one picture of a slideshow, or to a post's cover, at its full size.
 * @returns its result, and the post
 */
async function withStill<Result>(
  work: StillWork,
  { disconnected }: FastifyRequest,
  { resolver }: PictureParts,
  use: (source: MediaSource) => Promise<Result>,
) {
  const post = await resolver.resolve(work.post, disconnected);
  const pick = ({ cover, pictures }: Post) => {
    const source = work.kind === 'cover' ? cover : (pictures[work.index]?.source ?? null);
    if (source === null) throw new Failure('option_missing');
    return { source };
  };
  return { post, result: await readFresh(resolver, post, disconnected, pick, use) };
}

const stillName = (post: Post, work: StillWork, type: PictureType, naming: FileNaming) =>
  work.kind === 'picture'
    ? slideName(post, work.index, type, naming)
    : fileName({ ...nameParts(post), suffix: 'cover', extension: extensions[type] }, naming);

/**
 * Requests the picture's first bytes from the platform.
 * @returns the file's name
 * @throws Failure when it is unavailable
 */
export async function pictureReady(
  work: StillWork,
  request: FastifyRequest,
  parts: PictureParts,
): Promise<string> {
  const check = (source: MediaSource) => parts.pictures.check(source, request.disconnected);
  const { post, result: type } = await withStill(work, request, parts, check);
  return stillName(post, work, type, request.fileNaming);
}

/** Like {@link pictureReady}, for all pictures: the first available one is sufficient. */
export async function zipReady(
  { post: reference }: ZipWork,
  { disconnected, fileNaming }: FastifyRequest,
  { resolver, pictures }: PictureParts,
): Promise<string> {
  const post = await resolver.resolve(reference, disconnected);
  const read = async (part: SlidePart, source: MediaSource, signal: AbortSignal) => {
    await (part === 'picture' ? pictures.check(source, signal) : pictures.checkMotion(source, signal));
  };
  const files = readAlbum({ resolver, read }, post, disconnected);
  try {
    await untilFirst(files);
  } finally {
    await files.return(undefined);
  }
  return zipName(post, fileNaming);
}

/** One picture of a slideshow, or a post's cover, at its full size. */
export async function sendPicture(
  work: StillWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PictureParts,
): Promise<FastifyReply> {
  const read = (source: MediaSource) => parts.pictures.picture(source, request.disconnected);
  const { post, result: file } = await withStill(work, request, parts, read);
  return sendHeld(file, stillName(post, work, file.type, request.fileNaming), request, reply);
}

/** Sends a picture that is held in memory, and releases it when the response ends. */
export async function sendHeld(
  { bytes, type, release }: HeldFile<PictureType>,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  onceClosed(reply.raw, release);
  const headers = { ...fileHeaders(name, type), 'content-length': bytes.length };
  if (request.method === 'HEAD') return reply.headers(headers).send();
  return sendBytes(request, reply, 200, headers, slices(bytes));
}

/** A client's pace shows only between writes. */
const sliceBytes = 64 * 1024;

/** A file's bytes in pieces, for a client that takes its time. */
export async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** The date of a post's files in a zip. */
export const dateOf = ({ createdAt }: Post) => new Date((createdAt ?? 0) * 1000);

/** The note in a zip with missing files. */
function missingNote(locale: Locale, post: Post, missing: readonly string[]): ZipEntry {
  const text = translateTo(locale, 'errors')('notice.zip-missing');
  const bytes = Buffer.from(`${text}\n\n${missing.join('\n')}\n\n${post.url}\n`);
  return { name: 'missing.txt', modified: dateOf(post), size: bytes.length, stream: slices(bytes) };
}

/**
 * The files of a zip as they come, each of them there as a whole before its entry begins.
 * @param lacks told of the number of slides with something missing, if there are any
 */
async function* entries(
  files: AsyncIterable<AlbumPart<HeldFile<PictureType | 'video/mp4'>>>,
  post: Post,
  { locale, naming }: { readonly locale: Locale; readonly naming: FileNaming },
  lacks: (slides: number) => void,
): AsyncGenerator<ZipEntry> {
  const missing: string[] = [];
  const slides = new Set<number>();
  for await (const file of files) {
    if ('missing' in file) {
      slides.add(file.index);
      const type = file.part === 'picture' ? 'image/jpeg' : 'video/mp4';
      missing.push(slideName(post, file.index, type, naming));
      continue;
    }
    const { bytes, type, release } = file.result;
    try {
      yield {
        name: slideName(post, file.index, type, naming),
        modified: dateOf(post),
        size: bytes.length,
        stream: slices(bytes),
      };
    } finally {
      release();
    }
  }
  if (missing.length === 0) return;
  lacks(slides.size);
  yield missingNote(locale, post, missing);
}

/**
 * Reads up to the first available file.
 * @throws Failure when there is none: the response is then an error and no file
 */
export async function untilFirst<Result>(
  files: AsyncGenerator<AlbumPart<Result>>,
): Promise<readonly AlbumPart<Result>[]> {
  const read: AlbumPart<Result>[] = [];
  let missing: Failure | null = null;
  for (let next = await files.next(); !next.done; next = await files.next()) {
    read.push(next.value);
    if (!('missing' in next.value)) return read;
    missing ??= next.value.missing;
  }
  throw missing ?? new Failure('option_missing');
}

/** All slides of a slideshow in order, packed as they arrive; a note names the missing ones. */
export async function sendZip(
  work: ZipWork,
  request: FastifyRequest,
  reply: FastifyReply,
  { resolver, pictures, arrivals }: ServerDependencies,
): Promise<FastifyReply> {
  const post = await resolver.resolve(work.post, request.disconnected);
  if (post.pictures.length === 0) throw new Failure('option_missing');
  const headers = fileHeaders(zipName(post, request.fileNaming), 'application/zip');
  if (request.method === 'HEAD') return reply.headers(headers).send();
  const read = (
    part: SlidePart,
    source: MediaSource,
    signal: AbortSignal,
  ): Promise<HeldFile<PictureType | 'video/mp4'>> =>
    part === 'picture' ? pictures.picture(source, signal) : pictures.motion(source, signal);
  const files = readAlbum({ resolver, read }, post, request.disconnected);
  const first = await untilFirst(files);
  const all = async function* () {
    yield* first;
    yield* files;
  };
  const packed = entries(all(), post, { locale: localeOf(request), naming: request.fileNaming }, (slides) =>
    arrivals.lacks(request, slides),
  );
  try {
    return await sendBytes(request, reply, 200, headers, zipFiles(packed));
  } finally {
    await packed.return(undefined);
    await files.return(undefined);
    for (const file of first) if ('result' in file) file.result.release();
  }
}
