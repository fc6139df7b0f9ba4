import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Work } from '../downloader/tickets/work.ts';
import { connectionOptions, limitConnections } from './connections.ts';
import { articlePicturesEndpoint } from './endpoints/article-pictures.ts';
import { contentCalls } from './endpoints/content-calls.ts';
import { filesEndpoint } from './endpoints/files/files.ts';
import { readyEndpoint } from './endpoints/files/ready.ts';
import { healthEndpoints } from './endpoints/health.ts';
import { messageEndpoints } from './endpoints/messages.ts';
import { openApiEndpoint } from './endpoints/openapi.ts';
import { picturesEndpoint } from './endpoints/pictures.ts';
import { refuseResolves } from './endpoints/refuse-resolves.ts';
import { resolveEndpoint } from './endpoints/resolve.ts';
import { statusEndpoint } from './endpoints/status.ts';
import { answerErrors } from './errors.ts';
import { formerHostOf } from './former-host.ts';
import { whenLeaving } from './leaving.ts';
import { recordRequests, requestRecord } from './metrics.ts';
import { createPageRequests } from './pages/page-requests.ts';
import { failurePages, pages, pagesRoute } from './pages/pages.ts';
import { refusalPages } from './pages/refusals.ts';
import { commonHeaders, inertPolicy } from './pages/security-headers.ts';
import type { ServerParts } from './parts.ts';
import type { PageExchange } from './pipeline/exchange.ts';
import { movedFor, redirect } from './pipeline/redirect.ts';
import { namedHost, readableUrl } from './readable-url.ts';
import { refuseBroken, refuseOtherMethods } from './refusals.ts';
import { createRenderings, inTurn } from './renderings.ts';
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
    /** What the ticket of a file or picture is for; null for other requests, and wrong tickets. */
    workKind: Work['kind'] | null;
    /** Names the visitor when somebody asks. */
    knownVisitor: Visitor | null;
    /** Made when somebody asks. */
    leaving: AbortSignal | null;
    answering: ServerResponse | null;
  }
}

/** Answers a request in front of Fastify; false when it does not. */
type EarlyAnswer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The file names of the build carry a hash of their content. */
const hashedFiles = '/_app/';

/**
 * Gives every request what the endpoints ask of it. Who asks, and whether the client went away, is worked out when
 * somebody wants to know: most pages and files never do.
 */
function know(app: FastifyInstance, { nameVisitor, forwarded }: ServerParts): void {
  app.decorateRequest('knownVisitor', null);
  app.decorateRequest('leaving', null);
  app.decorateRequest('answering', null);
  app.decorateRequest('visitor', {
    getter() {
      this.knownVisitor ??= nameVisitor(forwarded.address(this.raw));
      return this.knownVisitor;
    },
  });
  app.decorateRequest('gone', {
    getter() {
      if (this.answering === null) throw new Error('Nobody asks yet.');
      this.leaving ??= whenLeaving(this.answering);
      return this.leaving;
    },
  });
  app.addHook('onRequest', (request, reply, next) => {
    request.answering = reply.raw;
    void reply.headers(commonHeaders(forwarded.isSecure(request.raw))).header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) void reply.header('content-security-policy', inertPolicy);
    next();
  });
}

/** Balancers and monitors ask these by whatever name. */
const askedAnywhere: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** Endpoints and files have their present address on the site's one host too; pages find theirs on their own way. */
function leaveFormerHost(app: FastifyInstance, { origin, forwarded }: ServerParts): void {
  const isFormer = formerHostOf(origin);
  app.addHook('onRequest', (request, reply, next) => {
    const route = request.routeOptions.url;
    const isPage = route === pagesRoute && !request.url.startsWith('/api/');
    if (isPage || askedAnywhere.has(route) || !isFormer(forwarded.host(request.raw))) return next();
    const { status, headers } = redirect(movedFor(request.method), request.url, origin);
    void reply.code(status).headers(headers).send();
  });
}

/**
 * The server spares requests without a body the events of a stream. Parsers of bodies wait for its end, though, when a
 * content type announces one, and get a stream that ends.
 */
function endEmptyBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ headers }, _reply, body, next) => {
    next(null, body.readableEnded && headers['content-type'] !== undefined ? Readable.from([]) : body);
  });
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

/** Fastify's own listener comes last. Only over a connection: requests that are injected begin with Fastify. */
function answerFirst(app: FastifyInstance, ...early: EarlyAnswer[]): void {
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    for (const answer of early) if (answer(request, response)) return;
    app.routing(request, response);
  });
}

/** The whole site as an application that listens nowhere yet; tests ask it through `inject`. */
export function createApp(given: ServerParts): FastifyInstance {
  const renderings = createRenderings();
  const parts = { ...given, site: inTurn(given.site, renderings) };
  const record = requestRecord(parts);
  const refusalPage = refusalPages(parts.configuration);
  const pageRequests = createPageRequests(parts, record, { renderings, refusalPage });
  const { requestTimeout, keepAliveTimeout, ...http } = connectionOptions();
  const app = Fastify({
    loggerInstance: parts.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: pageRequests.idOf,
    rewriteUrl: ({ url = '/', headers }) => {
      const host = namedHost(url);
      if (host !== undefined) headers.host = host;
      return readableUrl(url);
    },
    clientErrorHandler: refuseBroken,
    childLoggerFactory: requestLog,
    forceCloseConnections: 'idle',
    requestTimeout,
    keepAliveTimeout,
    http: { ...http, optimizeEmptyRequests: true },
    routerOptions: { maxParamLength: 200 },
  });
  // Endpoints read JSON alone.
  app.removeContentTypeParser('text/plain');
  const refuseOthers = refuseOtherMethods(app);
  know(app, parts);
  leaveFormerHost(app, parts);
  endEmptyBodies(app);
  answerErrors(app, failurePages(refusalPage, parts));
  recordRequests(app, record);
  healthEndpoints(app, parts);
  resolveEndpoint(app, parts);
  statusEndpoint(app, parts);
  filesEndpoint(app, parts);
  readyEndpoint(app, parts);
  picturesEndpoint(app, parts);
  articlePicturesEndpoint(app, parts);
  contentCalls(app, parts);
  messageEndpoints(app, parts);
  openApiEndpoint(app, parts);
  sitemaps(app, parts);
  feeds(app, parts);
  textFiles(app, parts);
  files(app, parts);
  refuseOthers();
  pages(app, pageRequests, refusalPage, parts);
  answerFirst(app, pageRequests.answerEarly, refuseResolves(parts, record));
  limitConnections(app.server, parts.mostConnections);
  return app;
}
