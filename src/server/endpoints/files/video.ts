import type { FastifyReply, FastifyRequest } from 'fastify';
import { openCutVideo } from '../../../downloader/cutting/open-cut-video.ts';
import { openJoinedVideo } from '../../../downloader/joining/open-joined-video.ts';
import { type FileNaming, fileName } from '../../../downloader/media/file-names.ts';
import { tagsOfPost } from '../../../downloader/media/tags.ts';
import { type ChosenVideo, mediaFileKey } from '../../../downloader/post/choose-files.ts';
import type { MediaSource, Post, SeparateSound, VideoVariant } from '../../../downloader/post/post.ts';
import type { RefreshSource } from '../../../downloader/posts/fresh-source.ts';
import { contentRange } from '../../../downloader/streaming/ranges.ts';
import { type OpenedVideo, openVideo, type VideoRequest } from '../../../downloader/streaming/video.ts';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { Failure, type FailureKey } from '../../../failures/failures.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { cutSuffix } from '../requested-file.ts';
import { fileHeaders, nameParts } from './sending.ts';

type VideoWork = Extract<TicketFile, { kind: 'video' }>;
export type VideoParts = Pick<ServerDependencies, 'resolver' | 'fileChooser' | 'network'>;

/** A client's request for a video. */
export type ClientRequest = Pick<VideoRequest, 'range' | 'ifRange' | 'head' | 'signal'>;

/** A post's video, opened for a client. */
interface OpenedFile {
  readonly post: Post;
  readonly video: OpenedVideo;
}

/** Failures that mean that two files cannot be joined, as opposed to a failed transfer. */
const unfitting: readonly FailureKey[] = [
  'media_invalid',
  'media_unavailable',
  'media_host_unknown',
  'media_too_large',
  'sound_missing',
  'sound_unsupported',
];

/**
 * Opens the video of a ticket. Two files that turn out to be incompatible are not chosen again; if they were the
 * default, another file replaces them.
 * @throws Failure when it is unavailable, or the signal's reason
 */
export async function openChosenVideo(
  work: VideoWork,
  parts: VideoParts,
  client: ClientRequest,
): Promise<OpenedFile> {
  const { resolver, fileChooser } = parts;
  const post = await resolver.resolve(work.post, client.signal);
  const chosen = await fileChooser.video(post, work.variant, client.signal);
  try {
    return await open(post, chosen, work, parts, client);
  } catch (thrown) {
    const isUnfit = chosen.sound !== null && thrown instanceof Failure && unfitting.includes(thrown.key);
    if (!isUnfit || client.signal.aborted) throw thrown;
    fileChooser.withdraw(post, chosen);
    if (work.variant !== 'default') throw thrown;
    const other = await fileChooser.video(post, 'default', client.signal);
    // A silent picture is not what was requested.
    if (other.sound === null && other.picture.tracks === 'picture') throw thrown;
    return open(post, other, work, parts, client);
  }
}

async function open(
  post: Post,
  chosen: ChosenVideo,
  work: VideoWork,
  parts: VideoParts,
  client: ClientRequest,
): Promise<OpenedFile> {
  const { network } = parts;
  const { picture, sound } = chosen;
  const request = { network, ...client, etagOf: etagOf(post, chosen) };
  const tags = tagsOfPost(post);
  const part = (file: VideoVariant | SeparateSound) => ({
    source: file.source,
    refresh: refreshOf(post, parts, file),
  });
  if (work.cut !== undefined) {
    const { cut } = work;
    const soundPart = sound === null || cut.isSilent === true ? null : part(sound);
    return {
      post,
      video: await openCutVideo({ ...request, tags, cut, picture: part(picture), sound: soundPart }),
    };
  }
  if (sound === null) {
    const refresh = refreshOf(post, parts, picture, async (fresh, signal) => {
      // Another strategy describes the same file with other figures.
      const again = await parts.fileChooser.video(fresh, work.variant, signal);
      return again.sound === null ? again.picture : undefined;
    });
    const video = await openVideo({ ...request, source: picture.source, refresh });
    return { post, video };
  }
  const video = await openJoinedVideo({
    ...request,
    tags,
    picture: part(picture),
    sound: part(sound),
  });
  return { post, video };
}

/** Everything that distinguishes a post's files; ids of sounds may contain any characters. */
function etagOf({ id }: Post, { picture, sound }: ChosenVideo): (size: number | null) => string {
  const { codec, width, height } = picture;
  const joined = sound === null ? '' : `-${mediaFileKey(sound).replace(/[^\w.-]/g, '')}`;
  return (size) => `"${id}-${codec}-${width}x${height}${joined}-${size ?? 'unknown'}"`;
}

/** Reads the post again for fresh addresses of one of its files. */
function refreshOf(
  post: Post,
  { resolver }: VideoParts,
  file: VideoVariant | SeparateSound,
  otherwise: (fresh: Post, signal: AbortSignal) => Promise<{ source: MediaSource } | undefined> = async () =>
    undefined,
): RefreshSource {
  return async (signal) => {
    const fresh = await resolver.resolve(post, signal, { fresh: true });
    const files = [...fresh.videos, ...fresh.separateSounds];
    const same =
      files.find((one) => mediaFileKey(one) === mediaFileKey(file)) ?? (await otherwise(fresh, signal));
    if (same === undefined) throw new Failure('media_unavailable', { note: 'the post has lost the file' });
    return same.source;
  };
}

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
