import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import type { DeskPage } from '../../web/desk/desk-page.ts';
import { isDisconnect } from '../../web/http/disconnect.ts';
import { delayRefusal } from '../../web/http/limits/rate-limits.ts';
import { scriptlessPolicy } from '../../web/http/responses/security-headers.ts';
import { statuses } from '../../web/http/responses/statuses.ts';
import { addressBlock } from '../../web/http/visitor/address-block.ts';
import { isSameOrigin } from '../../web/http/visitor/same-site.ts';
import { fromFramework, logFailure, refusalIn } from '../../web/server/errors.ts';
import { deskCookie, setDeskCookie } from './cookies.ts';
import { createDeeds } from './deeds.ts';
import { readForm, sentTexts, textIn } from './forms.ts';
import type { createLogIn } from './log-in/log-in.ts';
import { isToken, type Session } from './log-in/sessions.ts';
import { type DeskTools, ownPages } from './pages.ts';
import { createShowing } from './showing.ts';
import type { SentForm } from './uploads.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the operator, at the desk; null for everybody else. */
    deskSession: Session | null;
  }
}

interface DeskParts extends DeskTools {
  readonly logIn: ReturnType<typeof createLogIn>;
}

const logInBytes = 8 * 1024;
const formBytes = 256 * 1024;

/** Nothing of the desk runs in a browser, stands in a frame, is kept, or is found. */
const headers = {
  'content-security-policy': scriptlessPolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

const blockOf = ({ ip }: FastifyRequest) => addressBlock(ip ?? '');
const queryOf = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?', 2)[1] ?? '');
const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '';

/** Opens every address of the desk. */
export function deskEndpoints(app: FastifyInstance, desk: DeskParts): void {
  const { parts, sessions, logIn, log } = desk;
  const { site, configuration } = parts;

  app.register(async (scope) => {
    const pages: readonly DeskPage[] = [...(await parts.deskPages(parts)), ...ownPages(desk)];
    const show = createShowing({ site, siteName: configuration.name, pages, log });
    const deeds = createDeeds(log, parts.logger);
    const home = `/operator/${show.first}`;

    scope.decorateRequest('deskSession', null);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers(headers);
      // Before anything of a body is read.
      if (request.method === 'POST' && !isSameOrigin(request.headers))
        return reply.code(403).type('text/plain').send('403\n');
      request.deskSession = await sessions.find(deskCookie(request.headers.cookie, 'operator-session'));
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      if (isDisconnect(thrown)) throw thrown;
      const failure = refusalIn(thrown) ?? fromFramework(thrown);
      logFailure(request, failure);
      if (failure.retryAfterS !== undefined) reply.header('retry-after', String(failure.retryAfterS));
      const status = statuses[failure.key];
      return sendPage(
        reply.code(status),
        await show.problem('That did not work', `${failure.key} (${request.id})`),
      );
    });

    const sendPage = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html);

    /** Leads whoever is not logged in there. */
    const forOperator = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.deskSession !== null) return;
      const name = pathOf(request).split('/')[2] ?? '';
      const to = show.has(name) ? `?to=${name}` : '';
      return reply.redirect(`/operator/log-in${to}`, 303);
    };

    scope.get('/operator', { onRequest: forOperator }, (_, reply) => reply.redirect(home, 303));
    scope.get('/operator/', { onRequest: forOperator }, (_, reply) => reply.redirect(home, 303));

    scope.get('/operator/log-in', async (request, reply) => {
      if (request.deskSession !== null) return reply.redirect(home, 303);
      return sendPage(reply, await show.logIn(queryOf(request).get('to') ?? '', null));
    });

    scope.post('/operator/log-in', { bodyLimit: logInBytes }, async (request, reply) => {
      const form = await readForm(request.body, request.headers['content-type']);
      const to = textIn(form, 'to');
      const outcome = await logIn({
        password: textIn(form, 'password'),
        // Not who a key of the API says it is.
        visitor: parts.hashVisitor(request.ip ?? ''),
        block: blockOf(request),
        device: deskCookie(request.headers.cookie, 'operator-device'),
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
      return reply.redirect(show.has(to) ? `/operator/${to}` : home, 303);
    });

    scope.post(
      '/operator/log-out',
      { bodyLimit: logInBytes, onRequest: forOperator },
      async (request, reply) => {
        const session = sessionOf(request);
        checkToken(session, await readForm(request.body, request.headers['content-type']));
        await sessions.end(session);
        await log.add({ what: 'log-out', object: '', block: blockOf(request), outcome: 'done', text: '' });
        reply.header('set-cookie', setDeskCookie('operator-session', null, request.isSecure));
        return reply.redirect('/operator/log-in', 303);
      },
    );

    const requestOf = (request: FastifyRequest, { name }: DeskPage) => ({
      // Anything else than small letters, digits and dashes is part of no address here.
      parts: pathOf(request)
        .slice(`/operator/${name}`.length)
        .split('/')
        .filter((part) => part !== ''),
      query: queryOf(request),
      signal: request.disconnected,
    });

    /** What a page's form holds. */
    async function sentTo(page: DeskPage, request: FastifyRequest): Promise<SentForm> {
      const session = sessionOf(request);
      const contentType = request.headers['content-type'];
      if (page.upload !== undefined && request.isMultipart?.() === true) {
        const { readUpload } = await import('./uploads.ts');
        return readUpload(request, page.upload, (form) => checkToken(session, form));
      }
      const form = await readForm(request.body, contentType);
      checkToken(session, form);
      return { form, file: null, async [Symbol.asyncDispose]() {} };
    }

    async function answerForm(page: DeskPage, request: FastifyRequest, reply: FastifyReply) {
      await using sent = await sentTo(page, request);
      const { form, file } = sent;
      const asked = requestOf(request, page);
      const path = pathOf(request);
      const { entry, outcome } = await deeds(page, { ...asked, form, file }, blockOf(request));
      if (outcome.outcome !== 'refused' && outcome.shown === undefined) {
        const next = outcome.next === undefined ? path : `/operator/${outcome.next}`;
        return reply.redirect(`${next}?entry=${entry}`, 303);
      }
      const html = await show.page(page, asked, sessionOf(request), path, {
        notice: { kind: outcome.outcome, text: outcome.text },
        sent: sentTexts(form),
        shown: outcome.shown ?? null,
      });
      if (html === null) return sendPage(reply.code(404), await show.problem('Nothing here'));
      return sendPage(reply.code(outcome.outcome === 'refused' ? 422 : 200), html);
    }

    function openPage(inner: FastifyInstance, page: DeskPage): void {
      for (const url of [`/operator/${page.name}`, `/operator/${page.name}/*`]) {
        inner.get(url, { onRequest: forOperator }, async (request, reply) => {
          const asked = requestOf(request, page);
          const html = await show.page(page, asked, sessionOf(request), pathOf(request));
          if (html === null) return sendPage(reply.code(404), await show.problem('Nothing here'));
          return sendPage(reply, html);
        });
        inner.post(url, { onRequest: forOperator, bodyLimit: formBytes }, (request, reply) =>
          answerForm(page, request, reply),
        );
      }
    }

    for (const page of pages) {
      const { upload } = page;
      if (upload === undefined) openPage(scope, page);
      else
        scope.register(async (inner) => {
          await (await import('./uploads.ts')).takeUploads(inner, upload);
          openPage(inner, page);
        });
    }

    scope.get('/operator/*', { onRequest: forOperator }, async (_, reply) =>
      sendPage(reply.code(404), await show.problem('Nothing here')),
    );
  });
}

function sessionOf({ deskSession }: FastifyRequest): Session {
  if (deskSession === null) throw new Error('Nobody is logged in.');
  return deskSession;
}

/** @throws Failure `request_invalid` for a form that no page of this session has sent */
function checkToken(session: Session, form: FormData): void {
  if (!isToken(session, form.get('token')))
    throw new Failure('request_invalid', { note: 'the form is not of this session' });
}
