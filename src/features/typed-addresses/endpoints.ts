import type { FastifyInstance } from 'fastify';
import { redirect } from '../../server/http/responses/redirect.ts';
import { noneOwn, type Own, sendResponse } from '../../server/http/responses/send.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { visitorsLocale } from '../../server/pipeline/language-redirect/language-redirect.ts';
import { pagesRoute } from '../../server/pipeline/pages.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import { readTypedLink } from './typed-link.ts';

/** Answers addresses that have a post's link behind the site's name with the way to its result. */
export function typedAddresses(app: FastifyInstance, { configuration }: ServerDependencies): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { method, url, headers } = request;
    if (request.routeOptions.url !== pagesRoute || (method !== 'GET' && method !== 'HEAD')) return next();
    const typed = readTypedLink(url, configuration.locales);
    if (typed === null) return next();
    const locale = typed.locale ?? visitorsLocale(headers, configuration);
    const target = `${pathFor(configuration, locale, '')}?url=${encodeURIComponent(typed.link)}`;
    const own: Own = { ...noneOwn, responseHeaders: { vary: 'Accept-Language, Cookie' } };
    void sendResponse(redirect(302, target), own, request, reply);
  });
}
