import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tagsOfPost } from '../../../downloader/media/tags.ts';
import { type AlbumPart, readAlbum } from '../../../downloader/pictures/album.ts';
import type { HeldFile, PictureType } from '../../../downloader/pictures/pictures.ts';
import type { Post } from '../../../downloader/post/post.ts';
import { withFreshSource } from '../../../downloader/posts/fresh-source.ts';
import type { PostResolver } from '../../../downloader/posts/resolver.ts';
import { maxSoundBytes } from '../../../downloader/slideshow/plan.ts';
import { type OpenedSound, openSound, soundOrNone } from '../../../downloader/slideshow/sound.ts';
import { createRemoteByteSource } from '../../../downloader/streaming/byte-source.ts';
import type { TicketSlideshow } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import { conversionName } from '../../../server/endpoints/files/conversion.ts';
import { countRefusal, countWhenSent } from '../../../server/endpoints/files/count-downloads.ts';
import { nameWhenReady } from '../../../server/endpoints/files/files.ts';
import { untilFirst } from '../../../server/endpoints/files/pictures.ts';
import { sendBytes } from '../../../server/endpoints/files/sending.ts';
import { openTicket } from '../../../server/endpoints/requested-file.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';
import { prefixOf, type Sign, signs, writeHead } from '../wire/slideshow-parts.ts';
import { limitRunning } from './running.ts';

/** Videos whose parts are sent at once: each holds a picture, of some 300 kB. */
const mostAtOnce = 64;

type TicketRequest = FastifyRequest<{ Params: { ticket: string } }>;
type Picture = AlbumPart<HeldFile<PictureType>>;

/** The video of the post whose zip a ticket describes. @throws Failure `ticket_invalid`, `ticket_expired` */
async function workOf(request: TicketRequest, parts: ServerDependencies): Promise<TicketSlideshow> {
  const work = await openTicket(request, parts);
  if (work.kind !== 'zip') throw new Failure('ticket_invalid', { note: 'not the pictures of a post' });
  // A link that is opened, not fetched: what it would save is no video.
  const { 'sec-fetch-dest': destination = 'empty' } = request.headers;
  if (destination !== 'empty') throw new Failure('option_missing', { note: 'made by a page only' });
  return { kind: 'slideshow', post: work.post };
}

interface OpenedPost {
  readonly post: Post;
  readonly sound: OpenedSound | null;
}

async function openPost(
  work: TicketSlideshow,
  resolver: PostResolver,
  { network }: Pick<ServerDependencies, 'network'>,
  signal: AbortSignal,
): Promise<OpenedPost> {
  const post = await resolver.resolve(work.post, signal);
  if (post.kind !== 'photos' || post.pictures.length === 0)
    throw new Failure('option_missing', { note: 'not a slideshow' });
  if (post.sound === null) return { post, sound: null };
  const open = async () => {
    const { file, refresh } = await withFreshSource(resolver, post, signal, ({ sound }) => {
      if (sound === null) throw new Failure('sound_missing', { note: 'the post has lost its sound' });
      return sound;
    });
    return openSound(createRemoteByteSource({ network, source: file.source, refresh }), signal);
  };
  return { post, sound: await soundOrNone(open, signal) };
}

async function* bytesOf(
  head: Uint8Array,
  { post, sound }: OpenedPost,
  pictures: () => AsyncIterable<Picture>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const part = function* (sign: Sign, bytes: Uint8Array = new Uint8Array(0)) {
    yield prefixOf(sign, bytes.length);
    if (bytes.length > 0) yield bytes;
  };
  yield* part(signs.head, head);
  const pieces = sound?.bytes[Symbol.asyncIterator]();
  let isLost = post.sound !== null && sound === null;
  try {
    for (let soundBytes = 0; pieces !== undefined && !isLost; ) {
      const piece = await soundOrNone(() => pieces.next(), signal);
      if (piece?.done) break;
      soundBytes += piece?.value.length ?? 0;
      isLost = piece === null || soundBytes > maxSoundBytes;
      if (piece !== null && !isLost) yield* part(signs.sound, piece.value);
    }
  } finally {
    await pieces?.return?.();
  }
  if (isLost) yield* part(signs.soundLost);
  for await (const picture of pictures()) {
    if ('missing' in picture) yield* part(signs.missing);
    else
      try {
        yield* part(signs.picture, picture.result.bytes);
      } finally {
        picture.result.release();
      }
  }
  yield* part(signs.end);
}

async function sendParts(
  work: TicketSlideshow,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerDependencies,
): Promise<FastifyReply> {
  const { disconnected: signal } = request;
  const resolver = parts.runningDownloads.track(work.post, reply.raw, parts.resolver);
  const opened = await openPost(work, resolver, parts, signal);
  const { post, sound } = opened;
  const album = readAlbum(
    { resolver, read: (_, source, limited) => parts.pictures.picture(source, limited), motions: false },
    post,
    signal,
  );
  const first = await untilFirst(album);
  const head = writeHead({
    name: conversionName(post, work, request.fileNaming),
    tags: tagsOfPost(post),
    slides: post.pictures.length,
    sound: sound && { format: sound.format, isPlain: sound.format === 'aac' && sound.isPlain },
  });
  const pictures = async function* () {
    yield* first;
    yield* album;
  };
  const headers = { 'content-type': 'application/octet-stream', 'cache-control': 'private, no-store' };
  try {
    return await sendBytes(request, reply, 200, headers, bytesOf(head, opened, pictures, signal));
  } finally {
    await album.return(undefined);
    for (const picture of first) if ('result' in picture) picture.result.release();
  }
}

/**
 * `GET /api/files/{ticket of the zip}/slideshow`: what one video of a slideshow is made of, for the browser that makes it;
 * `wire/slideshow-parts.ts` says how. `…/slideshow/ready` says why there is none, as for every file that the page cannot have.
 */
export function slideshowEndpoints(app: FastifyInstance, parts: ServerDependencies): void {
  const run = limitRunning(mostAtOnce);
  const url = '/api/files/:ticket/slideshow';
  app.get<{ Params: { ticket: string } }>(url, { exposeHeadRoute: false }, async (request, reply) => {
    const work = await workOf(request, parts);
    await parts.limits.files(request.visitor);
    parts.limits.downloads(request.visitor, reply.raw);
    run(reply);
    countWhenSent(work, request, reply, parts);
    return sendParts(work, request, reply, parts);
  });
  app.get<{ Params: { ticket: string } }>(
    `${url}/ready`,
    { exposeHeadRoute: false },
    async (request, reply): Promise<never> => {
      const work = await workOf(request, parts);
      await parts.limits.files(request.visitor);
      parts.limits.downloads(request.visitor, reply.raw);
      try {
        await openPost(work, parts.resolver, parts, request.disconnected);
        await nameWhenReady({ kind: 'zip', post: work.post }, request, parts);
        throw new Failure('option_missing', { note: 'made by browsers only' });
      } catch (thrown) {
        countRefusal(work, request, thrown, parts);
        throw thrown;
      }
    },
  );
}
