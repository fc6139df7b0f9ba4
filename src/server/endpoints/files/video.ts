import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileName } from '../../../downloader/media/file-names.ts';
import { chooseVideo } from '../../../downloader/options/options.ts';
import { withFreshSource } from '../../../downloader/posts/fresh-source.ts';
import type { Post } from '../../../downloader/posts/post.ts';
import { contentRange } from '../../../downloader/streaming/ranges.ts';
import { type OpenedVideo, openVideo } from '../../../downloader/streaming/video.ts';
import type { Work } from '../../../downloader/tickets/work.ts';
import type { ServerParts } from '../../parts.ts';
import { fileHeaders } from './sending.ts';

type VideoWork = Extract<Work, { kind: 'video' }>;
type VideoParts = Pick<ServerParts, 'resolver' | 'soundPresence' | 'network'>;

const nameOf = ({ author, id }: Post, { variant }: VideoWork) =>
  fileName({ author: author.handle, id, ...(variant === 'hd' && { suffix: 'hd' }), extension: 'mp4' });

/** The post, the encoding of it that the work means, and how to find it again when its addresses have expired. */
async function find(work: VideoWork, { resolver, soundPresence }: VideoParts, disconnected: AbortSignal) {
  const post = await resolver.resolve(work.post, disconnected);
  const { file, refresh } = await withFreshSource(resolver, post, disconnected, async (of, signal) =>
    work.variant === 'hd'
      ? chooseVideo(of, 'hd', (await soundPresence(of, signal)).silent)
      : chooseVideo(of, 'default'),
  );
  return { post, refresh, chosen: file };
}

/** Asks the platform for the video's first bytes. @returns the file's name @throws Failure when it cannot be had */
export async function videoReady(
  work: VideoWork,
  { disconnected: signal }: FastifyRequest,
  parts: VideoParts,
): Promise<string> {
  const { post, refresh, chosen } = await find(work, parts, signal);
  const { network } = parts;
  const video = await openVideo({ network, source: chosen.source, head: true, refresh, signal });
  video.close();
  return nameOf(post, work);
}

/** Passes an mp4 through as it arrives. */
export async function sendVideo(
  work: VideoWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: VideoParts,
): Promise<FastifyReply> {
  const { post, refresh, chosen } = await find(work, parts, request.disconnected);
  const { codec, width, height, source } = chosen;
  const video = await openVideo({
    network: parts.network,
    source,
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    etagOf: (size) => `"${post.id}-${codec}-${width}x${height}-${size ?? 'unknown'}"`,
    head: request.method === 'HEAD',
    refresh,
    signal: request.disconnected,
  });
  return passVideo(video, nameOf(post, work), request, reply);
}

/** Answers with an opened video. */
export async function passVideo(
  video: OpenedVideo,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, start, length, size } = video;
  reply.code(status).headers({
    ...fileHeaders(name, 'video/mp4'),
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
