import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Post } from '../../../downloader/post/post.ts';
import { withFreshSource } from '../../../downloader/posts/fresh-source.ts';
import { openVideo } from '../../../downloader/streaming/video.ts';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { slideName } from './pictures.ts';
import { passVideo } from './video.ts';

type MotionWork = Extract<TicketFile, { kind: 'motion' }>;
type MotionParts = Pick<ServerDependencies, 'resolver' | 'network'>;

async function find(
  work: MotionWork,
  { resolver }: MotionParts,
  { disconnected, fileNaming }: FastifyRequest,
) {
  const post = await resolver.resolve(work.post, disconnected);
  const pick = ({ pictures }: Post) => {
    const source = pictures[work.index]?.motion ?? null;
    if (source === null) throw new Failure('option_missing', { note: 'the slide has no video' });
    return { source };
  };
  const { file, refresh } = await withFreshSource(resolver, post, disconnected, pick);
  return { post, refresh, source: file.source, name: slideName(post, work.index, 'video/mp4', fileNaming) };
}

/**
 * Requests the first bytes of a slide's video from the platform.
 * @returns the file's name
 * @throws Failure when it is unavailable
 */
export async function motionReady(
  work: MotionWork,
  request: FastifyRequest,
  parts: MotionParts,
): Promise<string> {
  const { source, refresh, name } = await find(work, parts, request);
  (
    await openVideo({ network: parts.network, source, head: true, refresh, signal: request.disconnected })
  ).close();
  return name;
}

/** Passes a slide's video through as it arrives. */
export async function sendMotion(
  work: MotionWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: MotionParts,
): Promise<FastifyReply> {
  const { post, source, refresh, name } = await find(work, parts, request);
  const video = await openVideo({
    network: parts.network,
    source,
    range: request.headers.range,
    ifRange: request.headers['if-range'] as string | undefined,
    etagOf: (size) => `"${post.id}-slide-${work.index}-${size ?? 'unknown'}"`,
    head: request.method === 'HEAD',
    refresh,
    signal: request.disconnected,
  });
  return passVideo(video, name, request, reply);
}
