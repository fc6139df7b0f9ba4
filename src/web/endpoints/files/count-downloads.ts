import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TicketFile } from '../../../downloader/tickets/ticket-file.ts';
import { asFailure, type FailureKey } from '../../../failures/failures.ts';
import { parseAddress } from '../../addressing/addresses.ts';
import { pageKeyOf } from '../../addressing/page-keys.ts';
import { firstByteBucket } from '../../figures/subjects.ts';
import { isDisconnect } from '../../http/disconnect.ts';
import { deviceOf, isProgram, shortAgent } from '../../http/visitor/user-agent.ts';
import type { ServerDependencies } from '../../server/parts.ts';

type Counting = Pick<ServerDependencies, 'records' | 'figures' | 'configuration'>;

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

function count(
  work: TicketFile,
  request: FastifyRequest,
  outcome: FailureKey | 'complete' | 'incomplete',
  parts: Counting,
): void {
  const { records, figures } = parts;
  const agent = shortAgent(request.headers['user-agent']);
  if (isProgram(agent)) return;
  if (figures !== null) sumUp(figures, formatOf(work), outcome, request, parts);
  records?.count({
    subject: 'download',
    name: formatOf(work),
    detail: outcome,
    device: deviceOf(agent),
  });
}

/** What led to a file: the language and the key of a page of this site; `none` where the browser does not say. */
function placeOf({ headers: { referer }, host }: FastifyRequest, { configuration }: Counting) {
  const url = referer === undefined ? null : URL.parse(referer);
  if (url === null || url.host !== host.toLowerCase()) return { locale: 'none', page: 'none' };
  const { page, locale } = parseAddress(url.pathname, configuration);
  return { locale, page: pageKeyOf(configuration, page) };
}

function sumUp(
  figures: NonNullable<Counting['figures']>,
  format: string,
  outcome: string,
  request: FastifyRequest,
  parts: Counting,
): void {
  const { locale, page } = placeOf(request, parts);
  figures.add('download', format, outcome);
  figures.add('download_language', locale, outcome === 'complete' ? 'complete' : 'other');
  figures.add('download_page', page, outcome === 'complete' ? 'complete' : 'other');
  if (request.firstByteMs !== null) figures.add('first_byte', format, firstByteBucket(request.firstByteMs));
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
export const countMade = (work: TicketFile, request: FastifyRequest, parts: Counting): void =>
  count(work, request, 'complete', parts);

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
  if ((parts.records === null && parts.figures === null) || request.method !== 'GET') return;
  raw.once('close', () => {
    if (!raw.headersSent || !isWhole(request.headers.range, raw.statusCode)) return;
    count(work, request, raw.writableFinished ? 'complete' : 'incomplete', parts);
  });
}
