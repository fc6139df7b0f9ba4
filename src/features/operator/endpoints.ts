import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DeskPage } from '../../server/desk/desk-page.ts';
import { isDisconnect } from '../../server/http/disconnect.ts';
import { scriptlessPolicy } from '../../server/http/responses/security-headers.ts';
import { statuses } from '../../server/http/responses/statuses.ts';
import { isSameOrigin } from '../../server/http/visitor/fetch-metadata.ts';
import { fromFramework, logFailure, refusalIn } from '../../server/instance/errors.ts';
import { createActions } from './actions.ts';
import { articlesPage } from './articles/page.ts';
import { cachePage } from './cache/page.ts';
import { canaryPage } from './canary/page.ts';
import type { DeskTools } from './desk-tools.ts';
import { nowPage } from './figures/now/page.ts';
import { usePage } from './figures/use/page.ts';
import { deskCookie, pathOf, sendPage } from './http.ts';
import { logPage } from './log/page.ts';
import { logInEndpoints } from './log-in/endpoints.ts';
import { pageEndpoints } from './page-endpoints.ts';
import { createShowing } from './showing.ts';

/** Nothing of the desk runs in a browser, stands in a frame, is kept, or is found. */
const headers = {
  'content-security-policy': scriptlessPolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/** Opens every address of the desk. */
export function deskEndpoints(app: FastifyInstance, desk: DeskTools): void {
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
