import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { ServerDependencies } from '../../web/server/parts.ts';
import { pageCards } from './cards/page-cards.ts';
import type { ShownPromotion } from './shown-promotion.ts';

const querySchema = z.object({ path: z.string().startsWith('/').max(500) });

/** They are the same for all visitors; articles that they link to may change. */
const headers = { 'cache-control': 'public, max-age=60' };

/**
 * `GET /api/cards?path=/de/contact`: the cards at the side of a page, requested by its browser when needed. Does not
 * exist without configured cards.
 */
export function cardsEndpoint(
  app: FastifyInstance,
  { pictures, now }: ShownPromotion,
  { configuration, content, limits }: ServerDependencies,
): void {
  if (configuration.promotion.cards.length === 0) return;
  app.get('/api/cards', async (request, reply) => {
    await limits.lists(request.visitor);
    const { data, error } = querySchema.safeParse(request.query);
    if (data === undefined) throw new Failure('request_invalid', { cause: error, note: '"path" is no path' });
    const services = {
      ...{ content, pictures, messages: loadMessages },
      configuration: { ...configuration, promotion: now() },
    };
    const cards = await pageCards(services, data.path);
    return reply.headers(headers).send({ code: 200, data: cards });
  });
}
