import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { SingleFlight } from '../../../downloader/async/single-flight.ts';
import {
  type CaptionFormat,
  captionFormats,
  readCaptions,
  writeCaptions,
} from '../../../downloader/captions/caption-files.ts';
import type { Cue } from '../../../downloader/captions/cues.ts';
import { fileName } from '../../../downloader/media/file-names.ts';
import type { PlatformNetwork } from '../../../downloader/network/contracts.ts';
import type { MediaSource, Post } from '../../../downloader/post/post.ts';
import { readFresh } from '../../../downloader/posts/fresh-source.ts';
import { type TicketFile, writeTicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { asFailure, Failure } from '../../../failures/failures.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { fileHeaders, nameParts } from './sending.ts';

type CaptionsWork = Extract<TicketFile, { kind: 'captions' }>;
type CaptionsParts = Pick<ServerDependencies, 'resolver' | 'network'>;

/** Ten hours of talk have less. */
const maxBytes = 1_000_000;
/** The formats of one track share one fetch. */
const cacheLifeMs = 600_000;
const maxCachedCharacters = 8_000_000;

const cache = new LRUCache<string, readonly Cue[]>({
  maxSize: maxCachedCharacters,
  sizeCalculation: (cues) => cues.reduce((sum, { text }) => sum + text.length + 64, 1),
  ttl: cacheLifeMs,
});
const readings = new SingleFlight<readonly Cue[]>();

const types: Readonly<Record<CaptionFormat, string>> = {
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

const querySchema = z.object({ as: z.enum(captionFormats).default('srt') });

/** @throws Failure `request_invalid` */
function formatOf({ query }: FastifyRequest): CaptionFormat {
  const asked = querySchema.safeParse(query);
  if (!asked.success)
    throw new Failure('request_invalid', { cause: asked.error, note: '"as" is not srt, vtt or txt' });
  return asked.data.as;
}

/** The text of a file of captions, from whichever of its addresses gives it. */
async function fetchCaptions(
  network: Pick<PlatformNetwork, 'fetchText'>,
  { platform }: Post,
  { urls, headers, egress }: MediaSource,
  signal: AbortSignal,
): Promise<string> {
  let failure = new Failure('media_unavailable', { note: 'captions without an address' });
  for (const url of urls) {
    try {
      const hosts = `${platform}/media` as const;
      const { status, body } = await network.fetchText({
        ...{ url, hosts, headers, egress, signal },
        maxBytes,
        maxRedirects: 2,
      });
      if (status === 200) return body.toString();
      failure = new Failure('media_unavailable', { note: `captions: HTTP ${status}` });
    } catch (thrown) {
      signal.throwIfAborted();
      failure = new Failure('media_unavailable', { cause: asFailure(thrown) });
    }
  }
  throw failure;
}

/** @throws Failure `option_missing`, `media_unavailable`, `media_invalid` */
async function cuesOf(
  work: CaptionsWork,
  post: Post,
  { resolver, network }: CaptionsParts,
  signal: AbortSignal,
): Promise<readonly Cue[]> {
  const key = writeTicketFile(work);
  const known = cache.get(key);
  if (known !== undefined) return known;
  return readings.run(key, signal, async (inner) => {
    const pick = ({ captions = [] }: Post) => {
      const track = captions.find(({ language }) => language === work.language);
      if (track === undefined) throw new Failure('option_missing', { note: 'no captions' });
      return track;
    };
    const text = await readFresh(resolver, post, inner, pick, (source) =>
      fetchCaptions(network, post, source, inner),
    );
    const cues = readCaptions(text);
    if (cues.length === 0) throw new Failure('media_invalid', { note: 'captions without a line' });
    cache.set(key, cues);
    return cues;
  });
}

/** Reads what a request asks for. @throws Failure when the captions are unavailable */
async function open(work: CaptionsWork, request: FastifyRequest, parts: CaptionsParts) {
  const extension = formatOf(request);
  const post = await parts.resolver.resolve(work.post, request.disconnected);
  const cues = await cuesOf(work, post, parts, request.disconnected);
  const name = fileName({ ...nameParts(post), suffix: work.language, extension }, request.fileNaming);
  return { name, cues, format: extension };
}

/**
 * Reads the captions.
 * @returns the file's name
 * @throws Failure when they are unavailable
 */
export const captionsReady = async (...asked: Parameters<typeof open>): Promise<string> =>
  (await open(...asked)).name;

/** The captions of a video, in the format of `?as=`: SubRip, WebVTT, or text only. */
export async function sendCaptions(
  work: CaptionsWork,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: CaptionsParts,
): Promise<FastifyReply> {
  const { name, cues, format } = await open(work, request, parts);
  return reply.headers(fileHeaders(name, types[format])).send(writeCaptions(cues, format));
}
