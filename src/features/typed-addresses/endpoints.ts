import type { FastifyInstance } from 'fastify';
import { pathFor } from '../../web/addressing/addresses.ts';
import { redirect } from '../../web/http/responses/redirect.ts';
import { noneOwn, type Own, sendResponse } from '../../web/http/responses/send.ts';
import { visitorsLocale } from '../../web/pipeline/language-redirect/language-redirect.ts';
import { pagesRoute } from '../../web/pipeline/pages.ts';
import type { ServerDependencies } from '../../web/server/parts.ts';
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
