import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type preParsingHookHandler,
} from 'fastify';
import { articlePicturesEndpoint } from './endpoints/article-pictures.ts';
import { cardsEndpoint } from './endpoints/cards.ts';
import { consentEndpoints } from './endpoints/consent.ts';
import { contentCalls } from './endpoints/content-calls.ts';
import { filesEndpoint } from './endpoints/files/files.ts';
import { readyEndpoint } from './endpoints/files/ready.ts';
import { healthEndpoints } from './endpoints/health.ts';
import { messageEndpoints } from './endpoints/messages.ts';
import { monitoringEndpoint } from './endpoints/monitoring.ts';
import { openApiEndpoint } from './endpoints/openapi.ts';
import { picturesEndpoint } from './endpoints/pictures.ts';
import { pushEndpoints } from './endpoints/push.ts';
import { reportEndpoints } from './endpoints/reports.ts';
import { resolveEndpoint } from './endpoints/resolve.ts';
import { serviceWorkerEndpoints } from './endpoints/service-workers.ts';
import { stateEndpoint } from './endpoints/state.ts';
import { statusEndpoint } from './endpoints/status.ts';
import { answerErrors } from './errors.ts';
import { connectionOptions, limitConnections } from './http/connections.ts';
import { formerHostOf, toPresentHost } from './http/former-host.ts';
import { namedHost, readableUrl } from './http/readable-url.ts';
import { movedFor } from './http/redirect.ts';
import { decorateRequests } from './http/requests.ts';
import { requestLogger } from './logging/request-logger.ts';
import { recordRequests } from './metrics/requests.ts';
import { noteRequests } from './monitoring/secrets.ts';
import type { ServerParts } from './parts.ts';
import { pages, pagesRoute } from './pipeline/pages.ts';
import { refuseAsNodeWould, refuseBroken, refuseOtherMethods } from './refusals.ts';
import { failurePages } from './rendering/failure-pages.ts';
import { refusalPages } from './rendering/refusal-pages.ts';
import { createRenderings, inTurn } from './rendering/renderings.ts';
import { sharePictures } from './share-pictures/share-pictures.ts';
import { feeds } from './site-files/feeds.ts';
import { manifests } from './site-files/manifest.ts';
import { sitemaps } from './site-files/sitemaps.ts';
import { textFiles } from './site-files/text-files.ts';

/** The file names of the build carry a hash of their content. */
const hashedFiles = '/_app/';

/** Balancers and monitors ask these by whatever name. */
const onAnyHost: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** Endpoints and files have their present address on the site's one host too; pages find theirs on their own way. */
function leaveFormerHost(app: FastifyInstance, { origin }: ServerParts): void {
  const isFormer = formerHostOf(origin);
  app.addHook('onRequest', (request, reply, next) => {
    if (!isFormer(request.host)) return next();
    const route = request.routeOptions.url;
    const isPage = route === pagesRoute && !request.url.startsWith('/api/');
    if (isPage || onAnyHost.has(route)) return next();
    const { status, headers } = toPresentHost(movedFor(request.method), request.url, origin, request.headers);
    void reply.code(status).headers(headers).send();
  });
}

/**
 * The server spares requests without a body the events of a stream. Parsers of bodies wait for its end, though, when a
 * content type announces one, and get a stream that ends.
 */
const endEmptyBody: preParsingHookHandler = ({ headers }, _reply, body, next) => {
  next(null, body.readableEnded && headers['content-type'] !== undefined ? Readable.from([]) : body);
};

function endEmptyBodies(app: FastifyInstance): void {
  const without = new Set(['GET', 'HEAD']);
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().some((method) => !without.has(method))) route.preParsing = endEmptyBody;
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

/** The whole site as an application that listens nowhere yet; tests ask it through `inject`. */
export function createApp(given: ServerParts): FastifyInstance {
  const renderings = createRenderings();
  const parts = { ...given, site: inTurn(given.site, renderings) };
  const refusalPage = refusalPages(parts.configuration);
  const { requestTimeout, keepAliveTimeout, ...http } = connectionOptions();
  const app = Fastify({
    loggerInstance: parts.logger as FastifyBaseLogger,
    childLoggerFactory: requestLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    trustProxy: parts.trustedProxies.length > 0 && [...parts.trustedProxies],
    rewriteUrl: ({ url = '/', headers }) => {
      const host = namedHost(url);
      if (host !== undefined) headers.host = host;
      return readableUrl(url);
    },
    clientErrorHandler: refuseBroken,
    forceCloseConnections: 'idle',
    requestTimeout,
    keepAliveTimeout,
    http: { ...http, optimizeEmptyRequests: true, requireHostHeader: false },
    routerOptions: { maxParamLength: 200 },
  });
  // Endpoints read JSON alone.
  app.removeContentTypeParser('text/plain');
  const refuseOthers = refuseOtherMethods(app);
  decorateRequests(app, parts);
  refuseAsNodeWould(app);
  leaveFormerHost(app, parts);
  endEmptyBodies(app);
  answerErrors(app, failurePages(refusalPage, parts));
  recordRequests(app, parts);
  if (parts.monitoring !== null) noteRequests(app, parts.monitoring.requests);
  healthEndpoints(app, parts);
  resolveEndpoint(app, parts);
  statusEndpoint(app, parts);
  filesEndpoint(app, parts);
  readyEndpoint(app, parts);
  picturesEndpoint(app, parts);
  articlePicturesEndpoint(app, parts);
  sharePictures(app, parts);
  contentCalls(app, parts);
  messageEndpoints(app, parts);
  reportEndpoints(app, parts);
  monitoringEndpoint(app, parts);
  consentEndpoints(app, parts);
  stateEndpoint(app, parts);
  cardsEndpoint(app, parts);
  openApiEndpoint(app, parts);
  sitemaps(app, parts);
  feeds(app, parts);
  manifests(app, parts);
  textFiles(app, parts);
  serviceWorkerEndpoints(app, parts);
  pushEndpoints(app, parts);
  files(app, parts);
  refuseOthers();
  pages(app, { renderings, refusalPage }, parts);
  limitConnections(app.server, parts.mostConnections);
  return app;
}
