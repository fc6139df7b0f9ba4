import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../../../downloader/tickets/work.ts';
import { asFailure, type FailureKey } from '../../../failures/failures.ts';
import { isDisconnect } from '../../http/disconnect.ts';
import { deviceOf, isProgram, shortAgent } from '../../http/visitor/user-agent.ts';
import type { ServerParts } from '../../server/parts.ts';

type Counting = Pick<ServerParts, 'records'>;

function formatOf(work: Work): string {
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
  work: Work,
  { headers }: FastifyRequest,
  outcome: FailureKey | 'complete' | 'incomplete',
  { records }: Counting,
): void {
  const agent = shortAgent(headers['user-agent']);
  if (isProgram(agent)) return;
  records?.count({
    subject: 'download',
    name: formatOf(work),
    detail: outcome,
    device: deviceOf(agent),
  });
}

/** Counts a failed download; a visitor who left got no response. */
export function countRefusal(work: Work, request: FastifyRequest, thrown: unknown, parts: Counting): void {
  if (!isDisconnect(thrown)) count(work, request, asFailure(thrown).key, parts);
}

/** A whole file; browsers request the rest of an interrupted download. */
const isWhole = (range: string | undefined, status: number) =>
  status === 200 || (status === 206 && range === 'bytes=0-');

/** Counts a file when its connection is done with it. */
export function countWhenSent(
  work: Work,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Counting,
): void {
  const { raw } = reply;
  if (parts.records === null || request.method !== 'GET') return;
  raw.once('close', () => {
    if (!raw.headersSent || !isWhole(request.headers.range, raw.statusCode)) return;
    count(work, request, raw.writableFinished ? 'complete' : 'incomplete', parts);
  });
}
