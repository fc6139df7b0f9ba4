import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileName } from '../../../downloader/media/file-names.ts';
import { type ZipEntry, zipFiles } from '../../../downloader/media/zip.ts';
import { readFresh } from '../../../downloader/posts/fresh-source.ts';
import type { MediaSource, Post } from '../../../downloader/posts/post.ts';
import type { Work } from '../../../downloader/tickets/work.ts';
import { Failure } from '../../../failures/failures.ts';
import { onceClosed } from '../../http/disconnect.ts';
import type { ServerParts } from '../../parts.ts';
import { fileHeaders, sendBytes } from './sending.ts';

type PictureWork = Extract<Work, { kind: 'picture' }>;
type ZipWork = Extract<Work, { kind: 'zip' }>;
type PictureParts = Pick<ServerParts, 'resolver' | 'pictures'>;

/** Has something done with one picture of a slideshow. */
function withPicture<Result>(
  { resolver }: PictureParts,
  post: Post,
  index: number,
  signal: AbortSignal,
  use: (source: MediaSource) => Promise<Result>,
): Promise<Result> {
  const pick = ({ pictures }: Post) => {
    const picture = pictures[index];
    if (picture === undefined) throw new Failure('option_missing');
    return picture;
  };
  return readFresh(resolver, post, signal, pick, use);
}

const readPicture = (parts: PictureParts, post: Post, index: number, signal: AbortSignal) =>
  withPicture(parts, post, index, signal, (source) => parts.pictures.jpeg(source, signal));

const nameOf = ({ author, id }: Post, index: number) =>
  fileName({ author: author.handle, id, suffix: String(index + 1).padStart(2, '0'), extension: 'jpg' });

const zipName = ({ author, id }: Post) => fileName({ author: author.handle, id, extension: 'zip' });

/** Asks the platform for the picture's first bytes. @returns the file's name @throws Failure when it cannot be had */
export async function pictureReady(
  { post: reference, index }: PictureWork,
  { disconnected }: FastifyRequest,
  parts: PictureParts,
): Promise<string> {
  const post = await parts.resolver.resolve(reference, disconnected);
  await withPicture(parts, post, index, disconnected, (source) => parts.pictures.check(source, disconnected));
  return nameOf(post, index);
}

/** The same for all pictures at once, of which the first speaks for the others. */
export async function zipReady(
  { post: reference }: ZipWork,
  { disconnected }: FastifyRequest,
  parts: PictureParts,
): Promise<string> {
  const post = await parts.resolver.resolve(reference, disconnected);
  await withPicture(parts, post, 0, disconnected, (source) => parts.pictures.check(source, disconnected));
  return zipName(post);
}

/** One picture of a slideshow, at its full size. */
export async function sendPicture(
  work: PictureWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerParts,
): Promise<FastifyReply> {
  const post = await parts.resolver.resolve(work.post, request.disconnected);
  const { bytes, type, release } = await readPicture(parts, post, work.index, request.disconnected);
  onceClosed(reply.raw, release);
  const headers = { ...fileHeaders(nameOf(post, work.index), type), 'content-length': bytes.length };
  if (request.method === 'HEAD') return reply.headers(headers).send();
  return sendBytes(request, reply, 200, headers, slices(bytes));
}

/** A client's pace shows only between writes. */
const sliceBytes = 64 * 1024;

async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

async function* entries(parts: PictureParts, post: Post, signal: AbortSignal): AsyncGenerator<ZipEntry> {
  for (const index of post.pictures.keys()) {
    const { bytes, release } = await readPicture(parts, post, index, signal);
    try {
      yield { name: nameOf(post, index), size: bytes.length, stream: slices(bytes) };
    } finally {
      release();
    }
  }
}

/** All pictures of a slideshow in the post's order, packed as they arrive. */
export async function sendZip(
  work: ZipWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerParts,
): Promise<FastifyReply> {
  const post = await parts.resolver.resolve(work.post, request.disconnected);
  if (post.pictures.length === 0) throw new Failure('option_missing');
  const headers = fileHeaders(zipName(post), 'application/zip');
  if (request.method === 'HEAD') return reply.headers(headers).send();
  // The first picture is there before the first byte leaves, so that a post without pictures is an error and no zip.
  const pictures = entries(parts, post, request.disconnected);
  const first = await pictures.next();
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* pictures;
  };
  const modified = new Date((post.createdAt ?? 0) * 1000);
  try {
    return await sendBytes(request, reply, 200, headers, zipFiles(all(), modified));
  } finally {
    await pictures.return(undefined);
  }
}
