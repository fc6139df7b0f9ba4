import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Lacks, lacksOf } from '../../../downloader/conversions/lacks.ts';
import { type FileNaming, fileName } from '../../../downloader/media/file-names.ts';
import type { Post } from '../../../downloader/post/post.ts';
import { chooseRange, contentRange } from '../../../downloader/streaming/ranges.ts';
import { formatOf, type TicketConversion } from '../../../downloader/tickets/ticket-file.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { cutSuffix } from '../requested-file.ts';
import { fileHeaders, nameParts, sendBytes } from './sending.ts';

type ConversionParts = Pick<ServerDependencies, 'resolver' | 'conversions'>;

const types = { mp3: 'audio/mpeg', m4a: 'audio/mp4', mp4: 'video/mp4' } as const;

/** How long a converted file is reserved for the browser that was told it is ready, also on a slow line. */
const heldForMs = 10_000;

/** The name of a converted file; it says so where a video lacks its sound. */
export function conversionName(
  post: Post,
  work: TicketConversion,
  naming: FileNaming,
  { isSoundless = false }: Lacks = {},
): string {
  const cut = work.kind === 'sound' ? work.cut : undefined;
  const song = 'song' in work && work.song ? 'sound' : null;
  const suffix = isSoundless ? 'no-sound' : (song ?? cutSuffix(cut));
  const format = formatOf(work);
  // Phones recognise a ringtone only by this extension.
  const extension = format === 'm4a' && cut?.isRingtone === true ? 'm4r' : format;
  return fileName({ ...nameParts(post), ...(suffix !== null && { suffix }), extension }, naming);
}

/**
 * Starts or joins the conversion, and waits for its start and first bytes. It may have no other reader, so its place is
 * held until the browser requests the file itself.
 * @returns the file's name
 * @throws Failure when it is unavailable
 */
export async function conversionReady(
  work: TicketConversion,
  { disconnected, visitor, fileNaming }: FastifyRequest,
  { resolver, conversions }: ConversionParts,
): Promise<string> {
  const post = await resolver.resolve(work.post, disconnected);
  const file = await conversions.open(work, visitor.key, disconnected);
  setTimeout(() => file.release(), heldForMs).unref();
  return conversionName(post, work, fileNaming, lacksOf(file.etag));
}

/** Sends a converted file while it is made, or the finished one with ranges. */
export async function sendConversion(
  work: TicketConversion,
  request: FastifyRequest,
  reply: FastifyReply,
  { resolver, conversions }: ConversionParts,
): Promise<FastifyReply> {
  const post = await resolver.resolve(work.post, request.disconnected);
  const headersOf = (lacks: Lacks) =>
    fileHeaders(conversionName(post, work, request.fileNaming, lacks), types[formatOf(work)]);

  if (request.method === 'HEAD') {
    // A HEAD request does not start a conversion: a file that does not exist yet has no size.
    const { state, bytes, ...lacks } = await conversions.status(work);
    if (state === 'done' && bytes !== null)
      reply.headers({ 'content-length': bytes, 'accept-ranges': 'bytes' });
    return reply.headers(headersOf(lacks)).send();
  }

  const file = await conversions.open(work, request.visitor.key, request.disconnected);
  try {
    const { length, etag, complete } = file;
    const wanted = {
      range: request.headers.range,
      ifRange: request.headers['if-range'] as string | undefined,
    };
    // A part of a file that is still growing could mean minutes of waiting: the whole file then, as RFC 9110 allows.
    const choice = complete
      ? chooseRange(wanted, etag, length)
      : { status: 200 as const, start: 0, end: length };
    const { status, start, end } = choice;
    const headers = {
      ...headersOf(lacksOf(etag)),
      'accept-ranges': complete ? 'bytes' : 'none',
      etag,
      'content-length': String(end - start),
      ...(status !== 200 && { 'content-range': contentRange(choice, length) }),
    };
    if (status === 416) return await reply.code(status).headers(headers).send();
    return await sendBytes(request, reply, status, headers, file.read(start, end));
  } finally {
    file.release();
  }
}
