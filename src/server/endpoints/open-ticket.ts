import type { FastifyRequest } from 'fastify';
import type { TicketFile } from '../../downloader/tickets/ticket-file.ts';
import { Failure } from '../../failures/failures.ts';
import type { ServerDependencies } from '../instance/parts.ts';

type TicketParts = Pick<ServerDependencies, 'tickets' | 'limits'>;

/** The work of a request's ticket. @throws as {@link openTickets} */
export async function openTicket(
  request: FastifyRequest<{ Params: { ticket: string } }>,
  parts: TicketParts,
): Promise<TicketFile> {
  const [work] = await openTickets([request.params.ticket], request, parts);
  if (work === undefined) throw new Failure('ticket_invalid');
  request.workKind = work.kind;
  request.askedPost = work.post;
  return work;
}

/**
 * The works of a request's tickets. Invalid tickets count against the same limit as unknown pages, so that a visitor
 * who tries many is soon refused.
 * @throws Failure `ticket_invalid`, `ticket_expired`, `rate_limited`
 */
export async function openTickets(
  texts: readonly string[],
  request: FastifyRequest,
  { tickets, limits }: TicketParts,
): Promise<TicketFile[]> {
  try {
    return texts.map((text) => tickets.open(text));
  } catch (thrown) {
    await limits.uncached.spend(request.visitor);
    throw thrown;
  }
}
