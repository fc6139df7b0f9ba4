import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  LogController,
  type preParsingHookHandler,
} from 'fastify';
import { contentCalls } from '../server/endpoints/content-calls.ts';
import { filesEndpoint, readyEndpoint } from '../server/endpoints/files/files.ts';
import { healthEndpoints } from '../server/endpoints/health.ts';
import { messagesEndpoint } from '../server/endpoints/messages.ts';
import { articlePicturesEndpoint, picturesEndpoint } from '../server/endpoints/pictures.ts';
import { platformListEndpoints } from '../server/endpoints/platform-list.ts';
import { resolveEndpoint } from '../server/endpoints/resolve.ts';
import { serviceWorkerEndpoints } from '../server/endpoints/service-workers.ts';
import { stateEndpoint } from '../server/endpoints/state.ts';
import { statusEndpoint } from '../server/endpoints/status.ts';
import type { FeatureServer } from '../server/feature.ts';
import { readRefusedBodies, refuseNullCharacters, usualBodyBytes } from '../server/http/bodies.ts';
import { connectionOptions, limitConnections } from '../server/http/connections.ts';
import { namedHost, readableUrl } from '../server/http/request-url.ts';
import { decorateRequests } from '../server/http/requests.ts';
import { formerHostOf, redirectStatus, toPresentHost } from '../server/http/responses/response.ts';
import { handleErrors } from '../server/instance/errors.ts';
import type { ServerDependencies } from '../server/instance/parts.ts';
import { refuseAsNodeWould, refuseBroken, refuseOtherMethods } from '../server/instance/refusals.ts';
import { recordRequests } from '../server/metrics/requests.ts';
import { openApiEndpoint } from '../server/openapi/document.ts';
import { pages, pagesRoute } from '../server/pipeline/pages.ts';
import { refusalPages } from '../server/rendering/bare-pages.ts';
import { createRenderQueue, withRenderQueue } from '../server/rendering/render-queue.ts';
import { failurePages } from '../server/rendering/screens.ts';
import { manifests } from '../server/site-files/manifest.ts';
import { sitemaps } from '../server/site-files/sitemaps.ts';
import { ownFiles, textFiles } from '../server/site-files/text-files.ts';

const nothing = () => undefined;

/** Fields of log lines that name a post. */
const serializers = { post: nothing, work: nothing, link: nothing, otherLink: nothing, url: nothing };

/**
 * Creates the loggers of requests, whose lines share the request's id and thereby its visitor. They omit the fields
 * that reveal the requested post: facts about posts are logged by the server's own logger
 * (`ServerDependencies.logger`), which knows no request.
 */
function requestLoggers(logger: FastifyBaseLogger): NonNullable<FastifyServerOptions['childLoggerFactory']> {
  // Created once: Pino copies all serializers for a child with its own.
  const withoutPosts = logger.child({}, { serializers });
  return (_, bindings) => withoutPosts.child(bindings);
}

/** The file names of the build carry a hash of their content. */
const hashedFiles = '/_app/';

/** Balancers and monitors request these under any host name. */
const onAnyHost: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** Endpoints and files redirect to the site's one host too; pages do so in a route step. */
function redirectWww(app: FastifyInstance, { origin }: ServerDependencies): void {
  const isFormer = formerHostOf(origin);
  app.addHook('onRequest', (request, reply, next) => {
    if (!isFormer(request.host)) return next();
    const route = request.routeOptions.url;
    const isPage = route === pagesRoute && !request.url.startsWith('/api/');
    if (isPage || onAnyHost.has(route)) return next();
    const { status, headers } = toPresentHost(
      redirectStatus(request.method),
      request.url,
      origin,
      request.headers,
    );
    void reply.code(status).headers(headers).send();
  });
}

/**
 * Node skips the stream events of requests without a body. Body parsers, however, wait for the end when a content type
 * announces a body, so they get an empty stream.
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

/** Headers without effect on scripts, styles and fonts that never change; they would weigh more than some of these. */
const documentHeaders = [
  'accept-ranges',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'etag',
  'last-modified',
  'permissions-policy',
  'referrer-policy',
  'x-request-id',
] as const;

const immutable = 'public, max-age=31536000, immutable';

function files(app: FastifyInstance, { site, own }: ServerDependencies): void {
  app.register(fastifyStatic, {
    root: site.files,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['**/*.br', '**/*.gz', ...[...own.files.keys()].map((path) => path.slice(1))],
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes(hashedFiles);
      void reply.header('cache-control', isHashed ? immutable : 'public, max-age=3600');
      if (isHashed) for (const name of documentHeaders) reply.removeHeader(name);
    },
  });
}

function refuseSchemas(): never {
  throw new Error('Routes have no schemas: zod checks what comes in.');
}

/** Replaces ajv and fast-json-stringify, whose 110 files Fastify would load at the start. */
const noSchemas = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

/** The whole site as an application that does not listen yet. */
export function createApp(given: ServerDependencies, features: readonly FeatureServer[]): FastifyInstance {
  const renderQueue = createRenderQueue();
  const parts = { ...given, site: withRenderQueue(given.site, renderQueue) };
  const refusalPage = refusalPages(parts.configuration);
  const logger = parts.logger as FastifyBaseLogger;
  const { requestTimeout, keepAliveTimeout, ...http } = connectionOptions();
  const app = Fastify({
    loggerInstance: logger,
    childLoggerFactory: requestLoggers(logger),
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    trustProxy: parts.trustedProxies.length > 0 && [...parts.trustedProxies],
    rewriteUrl: ({ url = '/', headers }) => {
      const host = namedHost(url);
      if (host !== undefined) headers.host = host;
      return readableUrl(url);
    },
    bodyLimit: usualBodyBytes,
    clientErrorHandler: refuseBroken,
    forceCloseConnections: 'idle',
    requestTimeout,
    keepAliveTimeout,
    http: { ...http, optimizeEmptyRequests: true, requireHostHeader: false },
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: noSchemas },
  });
  // Endpoints accept only JSON.
  app.removeContentTypeParser('text/plain');
  const refuseOthers = refuseOtherMethods(app);
  decorateRequests(app, parts);
  refuseAsNodeWould(app);
  refuseNullCharacters(app);
  readRefusedBodies(app);
  redirectWww(app, parts);
  endEmptyBodies(app);
  handleErrors(app, failurePages(refusalPage, parts));
  recordRequests(app, parts);
  healthEndpoints(app, parts);
  resolveEndpoint(app, parts);
  platformListEndpoints(app, parts);
  messagesEndpoint(app);
  statusEndpoint(app, parts);
  filesEndpoint(app, parts);
  readyEndpoint(app, parts);
  picturesEndpoint(app, parts);
  articlePicturesEndpoint(app, parts);
  contentCalls(app, parts);
  stateEndpoint(app, parts, (locale) => Object.assign({}, ...features.map(({ state }) => state?.(locale))));
  openApiEndpoint(
    app,
    parts,
    features.map(({ paths }) => paths),
  );
  sitemaps(app, parts);
  manifests(app, parts);
  textFiles(app, parts);
  serviceWorkerEndpoints(app, parts);
  for (const { routes } of features) routes?.(app, parts);
  ownFiles(app, parts);
  files(app, parts);
  refuseOthers();
  pages(
    app,
    {
      renderQueue,
      refusalPage,
      ofFeatures: features.flatMap(({ steps = [] }) => steps),
    },
    parts,
  );
  limitConnections(app.server, parts.mostConnections);
  return app;
}
