import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { asFailure, type FailureKey, isOwnRefusal } from '../../../failures/failures.ts';
import { parseAddress } from '../../../site/addressing/addresses.ts';
import { pageKeyOf } from '../../../site/addressing/site-pages.ts';
import { deviceOf } from '../../../site/state/device.ts';
import { isDisconnect } from '../../http/disconnect.ts';
import { statuses } from '../../http/responses/statuses.ts';
import { isProgram, shortAgent } from '../../http/visitor/user-agent.ts';
import type { ServerDependencies } from '../../instance/parts.ts';
import { firstByteBucket, type Service } from '../../tally/names.ts';

type Counting = Pick<ServerDependencies, 'tally' | 'counts' | 'configuration'>;

/** The end of a download: the connection may break, or the file may fail. */
type Outcome = FailureKey | 'complete' | 'incomplete';

function formatOf(work: TicketFile): string {
  switch (work.kind) {
    case 'video':
      if (typeof work.variant === 'object') return 'mp4-other';
      return work.variant === 'hd' ? 'mp4-hd' : 'mp4';
    case 'sound':
      return work.format;
    case 'picture':
      return 'jpg';
    case 'slideshow':
      return 'mp4-slideshow';
    case 'motion':
      return 'mp4-slide';
    default:
      return work.kind;
  }
}

/** Null for files that say nothing about the main formats. */
const serviceOfWork: Readonly<Record<TicketFile['kind'], Service | null>> = {
  video: 'videos',
  motion: 'photos',
  picture: 'photos',
  zip: 'photos',
  cover: 'photos',
  captions: null,
  slideshow: 'photos',
  image: 'photos',
  sound: 'sounds',
};

/**
 * Whether the site has served its visitor. Null for a visitor's mistake, for what a limit of ours refuses, and for a
 * file that did not come to its end: many just look into it.
 */
function resultOf(outcome: Outcome): 'succeeded' | 'failed' | null {
  if (outcome === 'complete') return 'succeeded';
  if (outcome === 'incomplete' || isOwnRefusal(outcome)) return null;
  return statuses[outcome] >= 500 ? 'failed' : null;
}

/** The page that led to a file: the language and the key of a page of this site; `none` where the browser does not say. */
function placeOf({ headers: { referer }, host }: FastifyRequest, { configuration }: Counting) {
  const url = referer === undefined ? null : URL.parse(referer);
  if (url === null || url.host !== host.toLowerCase()) return { locale: 'none', page: 'none' };
  const { page, locale } = parseAddress(url.pathname, configuration);
  return { locale, page: pageKeyOf(configuration, page) };
}

/** Counts a download once, for everybody who reads sums, if its visitor counts. */
async function countOne(
  work: TicketFile,
  request: FastifyRequest,
  outcome: Outcome,
  parts: Counting,
): Promise<void> {
  const { tally, counts } = parts;
  // A zip of several links has no ticket of its own, and belongs to no service.
  const service = request.workKind === null ? null : serviceOfWork[work.kind];
  const kind = service ?? 'files';
  const agent = shortAgent(request.headers['user-agent']);
  // A program with an API key is somebody's.
  if (isProgram(agent) && request.knownVisitor === null) return tally.add('uncounted', kind, 'program');
  const result = resultOf(outcome);
  const isCounted = await (result === null ? counts('unfinished', request) : counts(kind, request, result));
  if (!isCounted) return;
  const format = formatOf(work);
  const { locale, page } = placeOf(request, parts);
  const end = outcome === 'complete' ? 'complete' : 'other';
  tally.add('download', format, outcome);
  tally.add('download_language', locale, end);
  tally.add('download_page', page, end);
  tally.add('download_device', format, `${outcome} ${deviceOf(agent)}`);
  if (request.firstByteMs !== null) tally.add('first_byte', format, firstByteBucket(request.firstByteMs));
}

function count(work: TicketFile, request: FastifyRequest, outcome: Outcome, parts: Counting): void {
  countOne(work, request, outcome, parts).catch((error: unknown) =>
    request.log.error({ err: error }, 'a download could not be counted'),
  );
}

/** Counts a failed download; a visitor who left got no response. */
export function countRefusal(
  work: TicketFile,
  request: FastifyRequest,
  thrown: unknown,
  parts: Counting,
): void {
  if (!isDisconnect(thrown)) count(work, request, asFailure(thrown).key, parts);
}

/** Counts a file that the client has made itself. */
export const countMade = (work: TicketFile, request: FastifyRequest, parts: Counting): Promise<void> =>
  countOne(work, request, 'complete', parts);

/** A whole file; browsers request the rest of an interrupted download. */
const isWhole = (range: string | undefined, status: number) =>
  status === 200 || (status === 206 && range === 'bytes=0-');

/** Counts a file when its connection is done with it. */
export function countWhenSent(
  work: TicketFile,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Counting,
): void {
  const { raw } = reply;
  if (request.method !== 'GET') return;
  raw.once('close', () => {
    if (!raw.headersSent || !isWhole(request.headers.range, raw.statusCode)) return;
    count(work, request, raw.writableFinished ? 'complete' : 'incomplete', parts);
  });
}
