import type { FastifyReply, FastifyRequest } from 'fastify';
import { type FileNaming, fileName } from '../../../downloader/media/file-names.ts';
import type { Post } from '../../../downloader/post/post.ts';
import { contentRange } from '../../../downloader/streaming/ranges.ts';
import type { OpenedVideo } from '../../../downloader/streaming/video.ts';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { cutSuffix } from './cut-query.ts';
import { openChosenVideo, type VideoParts } from './open-chosen-video.ts';
import { fileHeaders, nameParts } from './sending.ts';

type VideoWork = Extract<TicketFile, { kind: 'video' }>;

/** The name of a post's video. */
export const videoName = (post: Post, { variant, cut }: VideoWork, naming: FileNaming) => {
  const suffix = [suffixOf(variant), cutSuffix(cut) ?? ''].filter((part) => part !== '').join('-');
  return fileName({ ...nameParts(post), suffix, extension: 'mp4' }, naming);
};

/** Distinguishes files that a visitor may save side by side. */
function suffixOf(variant: VideoWork['variant']): string {
  if (typeof variant === 'object') return `${variant.width}x${variant.height}-${variant.codec}`;
  return variant === 'hd' ? 'hd' : '';
}
/**
 * Requests the video's first bytes from the platform.
 * @returns the file's name
 * @throws Failure when it is unavailable
 */
export async function videoReady(
  work: VideoWork,
  { disconnected: signal, fileNaming }: FastifyRequest,
  parts: VideoParts,
): Promise<string> {
  const { post, video } = await openChosenVideo(work, parts, { head: true, signal });
  video.close();
  return videoName(post, work, fileNaming);
}

/** Passes an mp4 through as it arrives. */
export async function sendVideo(
  work: VideoWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: VideoParts,
): Promise<FastifyReply> {
  const { post, video } = await openChosenVideo(work, parts, {
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    head: request.method === 'HEAD',
    signal: request.disconnected,
  });
  return passVideo(video, videoName(post, work, request.fileNaming), request, reply);
}

/** Answers with an opened video. */
export async function passVideo(
  video: OpenedVideo,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, start, length, size, hasRanges } = video;
  reply.code(status).headers({
    ...fileHeaders(name, 'video/mp4'),
    'accept-ranges': hasRanges ? 'bytes' : 'none',
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
  // An opened video holds its first bytes.
  request.firstByteMs ??= reply.elapsedTime;
  const { outcome, bytes, resumes, error } = await video.pipeTo(raw);
  if (outcome === 'broken') request.log.warn({ err: error, bytes, resumes }, 'video broke off');
  return reply;
}
