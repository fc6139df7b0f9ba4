import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SoundFrames } from '../../../downloader/conversions/source.ts';
import { canFaadDecode } from '../../../downloader/media/mp3/wasm/decoding.ts';
import type { TicketSound } from '../../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../../failures/failures.ts';
import { conversionName } from '../../../server/endpoints/files/conversion.ts';
import { countMade } from '../../../server/endpoints/files/count-downloads.ts';
import { sendBytes } from '../../../server/endpoints/files/sending.ts';
import { openFile } from '../../../server/endpoints/requested-file.ts';
import { refuseOtherSites } from '../../../server/http/visitor/fetch-metadata.ts';
import type { ServerDependencies } from '../../../server/instance/parts.ts';
import { maxDurationS, writeHead } from '../wire/frames.ts';
import { limitRunning } from './running.ts';

/** Sounds that are sent at once: each holds two pieces of its file, half a megabyte. */
const mostAtOnce = 64;

/** True where the server has the file, or is about to: then nothing is won by making it elsewhere. */
async function isMadeHere(work: TicketSound, { conversions }: Pick<ServerDependencies, 'conversions'>) {
  const { state } = await conversions.status(work);
  return state === 'done' || state === 'reading' || state === 'converting';
}

/** True where a device makes the same file of it as this server's own WebAssembly. */
const isForDevices = ({ sound: { config, durationS } }: SoundFrames) =>
  canFaadDecode(config) && durationS <= maxDurationS;

async function* bytesOf(head: Uint8Array, { tag, sound }: SoundFrames): AsyncGenerator<Uint8Array> {
  yield head;
  yield tag;
  yield* sound.frames;
}

function sendFrames(
  work: TicketSound,
  frames: SoundFrames,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { post, tag, sound, fade = null } = frames;
  const { config, frameCount, skipSamples, durationS, bytes } = sound;
  const head = writeHead({
    name: conversionName(post, work, request.fileNaming),
    tagBytes: tag.length,
    facts: { config, frameCount, skipSamples, durationS, bytes },
    fade,
  });
  const headers = {
    'content-type': 'application/octet-stream',
    'cache-control': 'private, no-store',
    'content-length': head.length + tag.length + bytes,
  };
  return sendBytes(request, reply, 200, headers, bytesOf(head, frames));
}

type FileRequest = FastifyRequest<{ Params: { ticket: string } }>;

/** The mp3 that a ticket describes. @throws as {@link openFile} */
async function mp3Of(request: FileRequest, parts: ServerDependencies): Promise<TicketSound> {
  const work = await openFile(request, parts);
  if (work.kind !== 'sound' || work.format !== 'mp3')
    throw new Failure('ticket_invalid', { note: 'not an mp3' });
  return work;
}

/**
 * `GET /api/files/{ticket}/frames`: what an mp3 is encoded from, for the browser that encodes it; 204 where the server's
 * own file is to be taken.
 */
function framesEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  const run = limitRunning(mostAtOnce);
  const url = '/api/files/:ticket/frames';
  app.get<{ Params: { ticket: string } }>(url, { exposeHeadRoute: false }, async (request, reply) => {
    const work = await mp3Of(request, parts);
    parts.limits.downloads(request.visitor, reply.raw);
    run(reply);
    parts.runningDownloads.track(work.post, reply.raw, parts.resolver);
    const { disconnected: signal, visitor } = request;
    const frames = (await isMadeHere(work, parts))
      ? null
      : await parts.openFrames({ work, visitor: visitor.key, fast: false, signal, progress: () => {} });
    if (frames === null || !isForDevices(frames)) return reply.code(204).send();
    return sendFrames(work, frames, request, reply);
  });
}

/**
 * `POST /api/files/{ticket}/made`: the client has made this mp3, which counts as a download. What it was sent for that
 * does not: where the device gives up, it fetches the file as well.
 */
function madeEndpoint(app: FastifyInstance, parts: ServerDependencies): void {
  const options = { onRequest: refuseOtherSites };
  app.post('/api/files/:ticket/made', options, async (request: FileRequest, reply) => {
    const work = await mp3Of(request, parts);
    // Known still, as its sound was just sent; refuses what is taken down.
    await parts.resolver.resolve(work.post, request.disconnected);
    await countMade(work, request, parts);
    return reply.code(204).send();
  });
}

/** The endpoints of mp3s that devices make. */
export function framesEndpoints(app: FastifyInstance, parts: ServerDependencies): void {
  framesEndpoint(app, parts);
  madeEndpoint(app, parts);
}
