import type { FastifyInstance } from 'fastify';
import { addressOf, recogniseAll } from '../../downloader/links/recognise.ts';
import { linkTables } from '../../downloader/links/tables.ts';
import type { Locale } from '../../i18n/languages.ts';
import { redirect } from '../../server/http/responses/response.ts';
import { noneOwn, type Own, sendResponse } from '../../server/http/responses/send.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { pagesRoute } from '../../server/pipeline/pages.ts';
import { visitorsLocale } from '../../server/pipeline/redirects.ts';
import { pathFor } from '../../site/addressing/addresses.ts';
import { anyOf, platformDomains } from '../../site/configuration/platforms.ts';

/** Longer ones are not looked at. */
const longest = 1_000;

/** A scheme, of which browsers and proxies may have taken a slash away, or which is percent-encoded. */
const scheme = /^https?(?::|%3a)(?:\/|%2f){1,3}/i;
const host = new RegExp(`^(?:[a-z0-9-]+\\.){0,2}(?:${anyOf(platformDomains)})(?:/|%2f)`, 'i');
const author = /^(?:@|%40)/;
/** The platform whose posts stand behind their author's name. */
const authorsSite = `www.${platformDomains[0]}`;

/** Whether an address may be one: most are not, and cost no more than this. */
const maybeTyped = (url: string): boolean =>
  /^\/(?:[a-z]{2}\/)?(?:https?[:%]|@|%40|[a-z0-9.-]+\.[a-z]+(?:\/|%2f))/i.test(url);

/** The address with a scheme, null when it is no platform's. */
function whole(typed: string): string | null {
  const behind = typed.replace(scheme, '');
  if (host.test(behind)) return `https://${behind}`;
  return behind === typed && author.test(typed) ? `https://${authorsSite}/${typed}` : null;
}

/** Escapes of the signs that an address is made of, as they come where a whole link was escaped. */
const plain = (text: string) => text.replace(/%(?:3a|2f|3f|3d|26|40)/gi, (sign) => decodeURIComponent(sign));

/**
 * The post that the address of a request names behind the site's name: its canonical public address, and the language
 * before it, null for none.
 * @param url path and query as they came
 * @returns null for every other address
 */
export function readTypedLink(url: string, locales: readonly Locale[]) {
  if (url.length > longest || !maybeTyped(url)) return null;
  const [, prefix = '', rest = ''] = /^\/(?:([a-z]{2})\/)?(.*)$/is.exec(url) ?? [];
  const text = whole(rest);
  if (text === null) return null;
  const [post] = recogniseAll(plain(text), linkTables, 1);
  if (post === undefined) return null;
  const locale = locales.find((one) => one === prefix.toLowerCase()) ?? null;
  return { link: addressOf(post, linkTables), locale };
}

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
