import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileName } from '../../../downloader/media/file-names.ts';
import { chooseVideo } from '../../../downloader/options/options.ts';
import type { Post } from '../../../downloader/posts/post.ts';
import { contentRange } from '../../../downloader/streaming/ranges.ts';
import { openVideo } from '../../../downloader/streaming/video.ts';
import type { Work } from '../../../downloader/tickets/work.ts';
import type { ServerParts } from '../../parts.ts';
import { fileHeaders } from './sending.ts';

/** Passes an mp4 through as it arrives. */
export async function sendVideo(
  work: Extract<Work, { kind: 'video' }>,
  request: FastifyRequest,
  reply: FastifyReply,
  { resolver, soundPresence, network }: ServerParts,
): Promise<FastifyReply> {
  const choose = async (of: Post, signal: AbortSignal) =>
    work.variant === 'hd'
      ? chooseVideo(of, 'hd', (await soundPresence(of, signal)).silent)
      : chooseVideo(of, 'default');
  const post = await resolver.resolve(work.post, request.gone);
  const { codec, width, height, source } = await choose(post, request.gone);
  const video = await openVideo({
    network,
    source,
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    etagOf: (size) => `"${post.id}-${codec}-${width}x${height}-${size ?? 'unknown'}"`,
    head: request.method === 'HEAD',
    refresh: async (signal) =>
      (await choose(await resolver.resolve(work.post, signal, { fresh: true }), signal)).source,
    signal: request.gone,
  });
  const { status, start, length, size } = video;
  const suffix = work.variant === 'hd' ? { suffix: 'hd' } : {};
  reply.code(status).headers({
    ...fileHeaders(
      fileName({ author: post.author.handle, id: post.id, ...suffix, extension: 'mp4' }),
      'video/mp4',
    ),
    'accept-ranges': 'bytes',
    ...(video.etag !== null && { etag: video.etag }),
    ...(status !== 200 && {
      'content-range': contentRange({ status, start, end: start + (length ?? 0) }, size),
    }),
    ...(length !== null && { 'content-length': length }),
  });
  if (request.method === 'HEAD' || status === 416) {
    video.close();
    return reply.send();
  }
  const { raw } = reply.hijack();
  raw.writeHead(status, reply.getHeaders() as Record<string, string>);
  const { outcome, bytes, resumes, error } = await video.pipeTo(raw);
  if (outcome === 'broken') request.log.warn({ err: error, bytes, resumes }, 'video broke off');
  return reply;
}
