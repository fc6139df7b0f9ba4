import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { startRetentionJob } from '../../process/periodic.ts';
import type { DeskPage } from '../../server/desk/desk-page.ts';
import type { Core, FeatureServer } from '../../server/feature.ts';
import { isDisconnect } from '../../server/http/disconnect.ts';
import { delayRefusal } from '../../server/http/limits/visitor-limits.ts';
import { scriptlessPolicy } from '../../server/http/responses/security-headers.ts';
import { statuses } from '../../server/http/responses/statuses.ts';
import { isSameOrigin } from '../../server/http/visitor/fetch-metadata.ts';
import { fromFramework, logFailure, refusalIn } from '../../server/instance/errors.ts';
import { createActions } from './actions.ts';
import { articlesPage } from './articles/page.ts';
import { keptDays } from './audit-log.ts';
import { canaryPage } from './canary/page.ts';
import { cachePage } from './desk/cache-page.ts';
import { logPage } from './desk/log-page.ts';
import { type DeskTools, openDeskTools, type WhoOperates } from './desk-tools.ts';
import { nowPage } from './figures/now/page.ts';
import { usePage } from './figures/use/page.ts';
import {
  blockOf,
  checkToken,
  deskCookie,
  formIn,
  pathOf,
  queryOf,
  sendPage,
  sentTexts,
  sessionOf,
  setDeskCookie,
  textIn,
} from './http.ts';
import { createShowing, type Showing } from './showing.ts';
import type { SentForm } from './uploads.ts';

/** Nothing of the desk runs in a browser, stands in a frame, is kept, or is found. */
const headers = {
  'content-security-policy': scriptlessPolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

const formBytes = 256 * 1024;
const logInBytes = 8 * 1024;

interface EndpointParts {
  readonly show: Showing;
  readonly actions: ReturnType<typeof createActions>;
  readonly forOperator: onRequestAsyncHookHandler;
}

/** Opens the desk: its log-in, its audit log, and its pages. */
export async function openDesk(core: Core, who: WhoOperates): Promise<FeatureServer> {
  const { logger } = core;
  const tools = await openDeskTools(core, who);
  const { log } = tools;
  const endDeleting = startRetentionJob({
    deleteOld: () =>
      Promise.all([log.expire(keptDays), log.failLost()]).then(
        ([deleted]) => deleted > 0 && logger.info({ entries: deleted }, 'old entries of the desk deleted'),
        (error: unknown) =>
          logger.error({ err: error }, 'the entries of the desk could not be brought up to date'),
      ),
    logger,
  });
  return {
    routes: (app, parts) => deskEndpoints(app, { ...tools, parts }),
    legal: { desk: 'yes' },
    close: endDeleting,
  };
}

/** Opens every address of the desk. */
function deskEndpoints(app: FastifyInstance, desk: DeskTools): void {
  const { parts, core, sessions, log } = desk;

  app.register(async (scope) => {
    const { query } = core.database;
    const pages: readonly DeskPage[] = [
      ...(await parts.deskPages(parts)),
      ...[nowPage(query, Date.now), usePage(query, Date.now), articlesPage(desk)],
      ...[canaryPage(desk), cachePage(parts), logPage(desk)],
    ];
    const show = createShowing(desk, pages);
    const actions = createActions(log, parts.logger);

    scope.decorateRequest('deskSession', null);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers(headers);
      // Before anything of a body is read.
      if (request.method === 'POST' && !isSameOrigin(request.headers))
        return reply.code(403).type('text/plain').send('403\n');
      request.deskSession = await sessions.find(deskCookie(request, 'operator-session'));
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      if (isDisconnect(thrown)) throw thrown;
      const failure = refusalIn(thrown) ?? fromFramework(thrown);
      logFailure(request, failure);
      if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
      const html = await show.problem('That did not work', `${failure.key} (${request.id})`);
      return sendPage(reply.code(statuses[failure.key]), html);
    });

    /** Redirects visitors without a session to the log-in page. */
    const forOperator = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.deskSession !== null) return;
      const name = pathOf(request).split('/')[2] ?? '';
      const to = show.has(name) ? `?to=${name}` : '';
      return reply.redirect(`/operator/log-in${to}`, 303);
    };

    for (const url of ['/operator', '/operator/'])
      scope.get(url, { onRequest: forOperator }, (_, reply) => reply.redirect(show.home, 303));
    logInEndpoints(scope, desk, { show, forOperator });
    for (const page of pages) pageEndpoints(scope, page, { show, actions, forOperator });
    scope.get('/operator/*', { onRequest: forOperator }, async (_, reply) =>
      sendPage(reply.code(404), await show.problem('Nothing here')),
    );
  });
}

/** Opens the addresses of one of the desk's pages, for reading it and for its forms. */
function pageEndpoints(scope: FastifyInstance, page: DeskPage, desk: EndpointParts): void {
  const { upload } = page;
  if (upload === undefined) openPage(scope, page, desk);
  else
    scope.register(async (inner) => {
      await (await import('./uploads.ts')).takeUploads(inner, `/operator/${page.name}`, upload);
      openPage(inner, page, desk);
    });
}

function openPage(
  scope: FastifyInstance,
  page: DeskPage,
  { show, actions, forOperator }: EndpointParts,
): void {
  const notFound = async (reply: FastifyReply) =>
    sendPage(reply.code(404), await show.problem('Nothing here'));

  for (const url of [`/operator/${page.name}`, `/operator/${page.name}/*`]) {
    scope.get(url, { onRequest: forOperator }, async (request, reply) => {
      const html = await show.page(page, requestOf(request, page), sessionOf(request), pathOf(request));
      return html === null ? notFound(reply) : sendPage(reply, html);
    });

    scope.post(url, { onRequest: forOperator, bodyLimit: formBytes }, async (request, reply) => {
      await using sent = await sentTo(page, request);
      const { form, file } = sent;
      const asked = requestOf(request, page);
      const path = pathOf(request);
      const { entry, outcome } = await actions(
        page,
        { ...asked, form, file },
        {
          operator: sessionOf(request).operator,
          block: blockOf(request),
        },
      );
      if (outcome.outcome !== 'refused' && outcome.shown === undefined) {
        const next = outcome.next === undefined ? path : `/operator/${outcome.next}`;
        return reply.redirect(`${next}?entry=${entry}`, 303);
      }
      const html = await show.page(page, asked, sessionOf(request), path, {
        notice: { kind: outcome.outcome, text: outcome.text },
        sent: sentTexts(form),
        shown: outcome.shown ?? null,
      });
      if (html === null) return notFound(reply);
      return sendPage(reply.code(outcome.outcome === 'refused' ? 422 : 200), html);
    });
  }
}

const requestOf = (request: FastifyRequest, { name }: DeskPage) => ({
  // Anything else than small letters, digits and dashes is part of no address here.
  parts: pathOf(request)
    .slice(`/operator/${name}`.length)
    .split('/')
    .filter((part) => part !== ''),
  query: queryOf(request),
  signal: request.disconnected,
});

/** Reads a page's form. @throws Failure */
async function sentTo(page: DeskPage, request: FastifyRequest): Promise<SentForm> {
  const session = sessionOf(request);
  if (page.upload !== undefined && request.isMultipart?.() === true) {
    const { readUpload } = await import('./uploads.ts');
    return readUpload(request, page.upload, (form) => checkToken(session, form));
  }
  const form = await formIn(request);
  checkToken(session, form);
  return { form, file: null, async [Symbol.asyncDispose]() {} };
}

/** Opens the addresses that let the operator in and out. */
function logInEndpoints(
  scope: FastifyInstance,
  { parts, logIn, sessions, log }: DeskTools,
  { show, forOperator }: Pick<EndpointParts, 'show' | 'forOperator'>,
): void {
  scope.get('/operator/log-in', async (request, reply) => {
    if (request.deskSession !== null) return reply.redirect(show.home, 303);
    return sendPage(reply, await show.logIn(queryOf(request).get('to') ?? '', null));
  });

  scope.post('/operator/log-in', { bodyLimit: logInBytes }, async (request, reply) => {
    const form = await formIn(request);
    const to = textIn(form, 'to');
    const outcome = await logIn({
      name: textIn(form, 'name'),
      password: textIn(form, 'password'),
      code: textIn(form, 'code'),
      // Not who a key of the API says it is.
      visitor: parts.hashVisitor(request.ip ?? ''),
      block: blockOf(request),
      device: deskCookie(request, 'operator-device'),
    });
    if (outcome.kind === 'wrong') return sendPage(reply.code(403), await show.logIn(to, 'wrong'));
    if (outcome.kind === 'limited') {
      const { retryAfterS } = outcome;
      await delayRefusal(new Failure('rate_limited', { retryAfterS }));
      reply.header('retry-after', String(retryAfterS));
      return sendPage(reply.code(429), await show.logIn(to, 'limited'));
    }
    reply.header('set-cookie', [
      setDeskCookie('operator-session', outcome.session, request.isSecure),
      setDeskCookie('operator-device', outcome.device, request.isSecure),
    ]);
    return reply.redirect(show.has(to) ? `/operator/${to}` : show.home, 303);
  });

  scope.post(
    '/operator/log-out',
    { bodyLimit: logInBytes, onRequest: forOperator },
    async (request, reply) => {
      const session = sessionOf(request);
      checkToken(session, await formIn(request));
      await sessions.end(session);
      const by = { operator: session.operator, block: blockOf(request) };
      await log.add({ what: 'log-out', object: '', ...by, outcome: 'done', text: '' });
      reply.header('set-cookie', setDeskCookie('operator-session', null, request.isSecure));
      return reply.redirect('/operator/log-in', 303);
    },
  );
}
