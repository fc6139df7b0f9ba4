import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asFailure, failureStatuses } from '../../downloader/failures.ts';
import { loadMessages } from '../../i18n/catalogue.ts';
import type { Locale } from '../../i18n/languages.ts';
import { pathFor } from '../../site/addresses.ts';
import type { ErrorAnswer } from '../../site/api.ts';
import type { SiteServices } from '../../site/services.ts';
import { resolveFor } from '../endpoints/resolve.ts';
import { errorAnswer } from '../errors.ts';
import type { BuiltSite, ServerParts } from '../parts.ts';
import { acceptedEncoding, compress } from './compression.ts';
import { contentSecurityPolicy } from './security-headers.ts';

/** A form with one link in it. */
const maxFormBytes = 16 * 1024;

/** Header names that describe a connection, not a page. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * A browser's own word that a form comes from this site (Fetch Metadata), else the classic comparison of `Origin`
 * with the host that was asked. The router makes the same check against the public origin, which a site that is
 * looked at through another name (a test machine, an address) would fail.
 */
function comesFromHere({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = headers.origin;
  return origin === undefined || URL.parse(origin)?.host === headers.host;
}

function toWebRequest(request: FastifyRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && name !== 'origin' && !hopByHop.has(name)) headers.set(name, String(value));
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  return new Request(origin + request.raw.url, {
    method: request.method,
    headers,
    signal: request.gone,
    ...(hasBody && request.body instanceof Buffer ? { body: new Uint8Array(request.body) } : {}),
  });
}

const failures = Object.entries(failureStatuses).map(([key, status]) => ({ key, status }));

function servicesFor(
  parts: ServerParts,
  request: FastifyRequest,
  failure: SiteServices['failure'],
): SiteServices {
  return {
    configuration: parts.configuration,
    origin: parts.origin,
    content: parts.content,
    texts: parts.texts,
    requestId: request.id,
    failures,
    failure,
    messages: loadMessages,
    async resolve(text, { locale, formats }) {
      try {
        return await resolveFor(parts, text, request.visitor, formats, request.gone);
      } catch (thrown) {
        const failure = asFailure(thrown);
        request.log[failure.status === 500 ? 'error' : 'info'](
          { err: failure, key: failure.key },
          'not resolved',
        );
        return errorAnswer(failure, locale);
      }
    },
    reportError: (error) => request.log.error({ err: error }, 'page failed'),
  };
}

async function sendPage(
  response: Response,
  request: FastifyRequest,
  reply: FastifyReply,
  { isDevelopment = false }: BuiltSite,
): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (!hopByHop.has(name)) reply.header(name, value);
  const body = Buffer.from(await response.arrayBuffer());
  if (!isDevelopment && response.headers.get('content-type')?.startsWith('text/html'))
    reply.header('content-security-policy', contentSecurityPolicy(body.toString()));
  const { bytes, encoding } = await compress(body, acceptedEncoding(request.headers['accept-encoding']));
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.header('vary', 'Accept-Encoding').send(bytes);
}

/** The home page in the visitor's language, with what went wrong where a result would stand. */
export async function sendFailurePage(
  failure: ErrorAnswer,
  locale: Locale,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ServerParts,
): Promise<FastifyReply> {
  const { configuration, origin, site } = parts;
  const spoken = configuration.locales.includes(locale) ? locale : configuration.defaultLocale;
  const address = origin + pathFor(configuration, spoken, '');
  const services = servicesFor(parts, request, failure);
  const page = await site.handle(new Request(address, { signal: request.gone }), services);
  // The scripts would look for a page at the file's address and not find this one; it works without them.
  const html = (await page.text()).replace(/<script\b[^>]*>.*?<\/script>/gs, '');
  return sendPage(new Response(html, page), request, reply, site);
}

/** Every address that is no endpoint and no file belongs to the React Router application. */
export function pages(app: FastifyInstance, parts: ServerParts): void {
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxFormBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.all('/*', async (request, reply) => {
      if (request.method === 'POST' && !comesFromHere(request))
        return reply.code(403).type('text/plain').send('403\n');
      const response = await parts.site.handle(
        toWebRequest(request, parts.origin),
        servicesFor(parts, request, null),
      );
      return sendPage(response, request, reply, parts.site);
    });
    done();
  });
}
