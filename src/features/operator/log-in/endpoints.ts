import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { Failure } from '../../../failures/failures.ts';
import { delayRefusal } from '../../../server/http/limits/visitor-limits.ts';
import type { DeskTools } from '../desk-tools.ts';
import {
  blockOf,
  checkToken,
  deskCookie,
  formIn,
  queryOf,
  sendPage,
  sessionOf,
  setDeskCookie,
  textIn,
} from '../http.ts';
import type { Showing } from '../showing.ts';

interface LogInEndpoints {
  readonly show: Showing;
  readonly forOperator: onRequestAsyncHookHandler;
}

const bodyLimit = 8 * 1024;

/** Opens the addresses that let the operator in and out. */
export function logInEndpoints(
  scope: FastifyInstance,
  { parts, logIn, sessions, log }: DeskTools,
  { show, forOperator }: LogInEndpoints,
): void {
  scope.get('/operator/log-in', async (request, reply) => {
    if (request.deskSession !== null) return reply.redirect(show.home, 303);
    return sendPage(reply, await show.logIn(queryOf(request).get('to') ?? '', null));
  });

  scope.post('/operator/log-in', { bodyLimit }, async (request, reply) => {
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

  scope.post('/operator/log-out', { bodyLimit, onRequest: forOperator }, async (request, reply) => {
    const session = sessionOf(request);
    checkToken(session, await formIn(request));
    await sessions.end(session);
    const by = { operator: session.operator, block: blockOf(request) };
    await log.add({ what: 'log-out', object: '', ...by, outcome: 'done', text: '' });
    reply.header('set-cookie', setDeskCookie('operator-session', null, request.isSecure));
    return reply.redirect('/operator/log-in', 303);
  });
}
