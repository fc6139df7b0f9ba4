import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileName } from '../../../downloader/media/file-names.ts';
import { chooseVideo } from '../../../downloader/options/options.ts';
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
  { resolver, network }: ServerParts,
): Promise<FastifyReply> {
  const post = await resolver.resolve(work.post, request.gone);
  const { codec, width, height, source } = chooseVideo(post, work.variant);
  const video = await openVideo({
    network,
    source,
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    etagOf: (size) => `"${post.id}-${codec}-${width}x${height}-${size ?? 'unknown'}"`,
    head: request.method === 'HEAD',
    refresh: async (signal) =>
      chooseVideo(await resolver.resolve(work.post, signal, { fresh: true }), work.variant).source,
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
