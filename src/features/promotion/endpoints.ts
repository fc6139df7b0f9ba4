import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { ServerParts } from '../../web/server/parts.ts';
import { pageCards } from './cards/page-cards.ts';

const querySchema = z.object({ path: z.string().startsWith('/').max(500) });

/** They are the same for everybody; articles that they lead to come and go. */
const headers = { 'cache-control': 'public, max-age=60' };

/**
 * `GET /api/cards?path=/de/contact`: the cards at the side of a page, which its browser asks for when it is time for
 * them. Not there where none are configured.
 */
export function cardsEndpoint(app: FastifyInstance, parts: ServerParts): void {
  const { configuration, content, limits } = parts;
  const { promotedPictures, shownPromotion } = parts.featureServices;
  if (configuration.promotion.cards.length === 0) return;
  app.get('/api/cards', async (request, reply) => {
    await limits.lists(request.visitor);
    const { data, error } = querySchema.safeParse(request.query);
    if (data === undefined) throw new Failure('request_invalid', { cause: error, note: '"path" is no path' });
    const services = {
      ...{ content, promotedPictures, messages: loadMessages },
      configuration: { ...configuration, promotion: shownPromotion() },
    };
    const cards = await pageCards(services, data.path);
    return reply.headers(headers).send({ code: 200, data: cards });
  });
}
