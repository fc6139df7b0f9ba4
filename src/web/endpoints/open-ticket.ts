import type { FastifyRequest } from 'fastify';
import type { Work } from '../../downloader/tickets/work.ts';
import type { ServerParts } from '../server/parts.ts';

/**
 * What the ticket of a request is for. Tickets that are none count as pages that are none do: whoever tries many is
 * soon refused.
 * @throws Failure `ticket_invalid`, `ticket_expired`, `rate_limited`
 */
export async function openTicket(
  request: FastifyRequest<{ Params: { ticket: string } }>,
  { tickets, limits }: Pick<ServerParts, 'tickets' | 'limits'>,
): Promise<Work> {
  try {
    const work = tickets.open(request.params.ticket);
    request.workKind = work.kind;
    return work;
  } catch (thrown) {
    await limits.uncached.spend(request.visitor);
    throw thrown;
  }
}
