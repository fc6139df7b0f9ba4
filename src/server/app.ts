import type { ServerResponse } from 'node:http';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { articlePicturesEndpoint } from './endpoints/article-pictures.ts';
import { contentCalls } from './endpoints/content-calls.ts';
import { filesEndpoint } from './endpoints/files/files.ts';
import { healthEndpoints } from './endpoints/health.ts';
import { messageEndpoints } from './endpoints/messages.ts';
import { openApiEndpoint } from './endpoints/openapi.ts';
import { picturesEndpoint } from './endpoints/pictures.ts';
import { resolveEndpoint } from './endpoints/resolve.ts';
import { statusEndpoint } from './endpoints/status.ts';
import { answerErrors } from './errors.ts';
import { countRequests } from './metrics.ts';
import { pages, sendFailurePage } from './pages/pages.ts';
import { commonHeaders, inertPolicy } from './pages/security-headers.ts';
import type { ServerParts } from './parts.ts';
import type { PageExchange } from './pipeline/exchange.ts';
import { readableUrl } from './readable-url.ts';
import { requestIds } from './request-ids.ts';
import { requestLog } from './request-log.ts';
import { feeds } from './site-files/feeds.ts';
import { sitemaps } from './site-files/sitemaps.ts';
import { textFiles } from './site-files/text-files.ts';
import type { Visitor } from './visitor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, for limits. */
    visitor: Visitor;
    /** Aborted when the client went away before it had its answer. */
    gone: AbortSignal;
    /** On its way through the route steps; null for what is no page. */
    exchange: PageExchange | null;
    /** Names the visitor when somebody asks. */
    knownVisitor: Visitor | null;
    /** Made when somebody asks. */
    leaving: AbortController | null;
    answering: ServerResponse | null;
  }
}

/** The file names of the build carry a hash of their content. */
const hashedFiles = '/_app/';

/**
 * Gives every request what the endpoints ask of it. Who asks, and whether the client went away, is worked out when
 * somebody wants to know: most pages and files never do.
 */
function know(app: FastifyInstance, { nameVisitor, origin }: ServerParts): void {
  app.decorateRequest('knownVisitor', null);
  app.decorateRequest('leaving', null);
  app.decorateRequest('answering', null);
  app.decorateRequest('visitor', {
    getter() {
      this.knownVisitor ??= nameVisitor(this.ip);
      return this.knownVisitor;
    },
  });
  app.decorateRequest('gone', {
    getter() {
      this.leaving ??= whenLeaving(this.answering);
      return this.leaving.signal;
    },
  });
  const headersOf = commonHeaders(new URL(origin));
  app.addHook('onRequest', (request, reply, next) => {
    request.answering = reply.raw;
    void reply.headers(headersOf(request)).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) void reply.header('content-security-policy', inertPolicy);
    next();
  });
}

function whenLeaving(answering: ServerResponse | null): AbortController {
  const leaving = new AbortController();
  const left = () => leaving.abort(new Error('The client went away.'));
  if (answering?.closed && !answering.writableFinished) left();
  answering?.once('close', () => {
    if (!answering.writableFinished) left();
  });
  return leaving;
}

const immutable = 'public, max-age=31536000, immutable';

function files(app: FastifyInstance, { site }: ServerParts): void {
  const { routeList } = site;
  if (routeList !== undefined)
    app.get(routeList.path, (_, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', immutable).send(routeList.script),
    );
  app.register(fastifyStatic, {
    root: site.files,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes(hashedFiles);
      void reply.header('cache-control', isHashed ? immutable : 'public, max-age=3600');
    },
  });
}

/** The whole site as an application that listens nowhere yet; tests ask it through `inject`. */
export function createApp(parts: ServerParts): FastifyInstance {
  const app = Fastify({
    loggerInstance: parts.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: parts.trustProxy.length > 0 ? [...parts.trustProxy] : false,
    requestIdHeader: false,
    genReqId: requestIds(),
    rewriteUrl: ({ url }) => readableUrl(url ?? '/'),
    childLoggerFactory: requestLog,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  });
  know(app, parts);
  answerErrors(app, (answer, locale, request, reply) =>
    sendFailurePage(answer, locale, request, reply, parts),
  );
  countRequests(app, parts);
  healthEndpoints(app, parts);
  resolveEndpoint(app, parts);
  statusEndpoint(app, parts);
  filesEndpoint(app, parts);
  picturesEndpoint(app, parts);
  articlePicturesEndpoint(app, parts);
  contentCalls(app, parts);
  messageEndpoints(app, parts);
  openApiEndpoint(app, parts);
  sitemaps(app, parts);
  feeds(app, parts);
  textFiles(app, parts);
  files(app, parts);
  pages(app, parts);
  return app;
}
