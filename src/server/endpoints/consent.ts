import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { consentValue } from '../../site/visitors/consent-cookie.ts';
import { readConsentForm } from '../../site/visitors/consent-form.ts';
import { storedItems } from '../../site/visitors/stored/stored-items.ts';
import { hasAnswered, hasRefusalSignal } from '../http/consent.ts';
import { readCookie, writeCookie } from '../http/cookies.ts';
import { redirect } from '../http/redirect.ts';
import { comesFromHere } from '../http/same-site.ts';
import { noneOwn, sendAnswer } from '../http/send.ts';
import type { ServerParts } from '../parts.ts';

const maxBodyBytes = 1024;

/** Hides the bar from who has nothing to answer, until they ask for it ("#consent"). */
const answered = '.consent:not(:target){display:none}';
/** For whom the browser has refused: the bar says so instead of asking. */
const refused = `${answered}.consent-question{display:none}.consent-refused{display:block}`;

/** The page that the form stood on, as its browser names it; the home page where it does not. */
function pageOf({ headers, host }: FastifyRequest): string {
  const page = URL.parse(headers.referer ?? '');
  return page?.host === host ? page.pathname + page.search : '/';
}

/** The name under which the server has kept what a visitor did. */
const tokenIn = ({ headers: { cookie } }: FastifyRequest): string | null =>
  readCookie(cookie, 'token_id') ?? readCookie(cookie, 'tmp_token_id');

/** Lines that delete what statistics have stored in a browser. */
function deletions({ headers, isSecure }: FastifyRequest): string[] {
  return Object.entries(storedItems).flatMap(([name, { kind }]) =>
    kind === 'statistics' && readCookie(headers.cookie, name) !== null
      ? [writeCookie({ name, value: '', maxAgeS: 0, isForScripts: true }, isSecure)]
      : [],
  );
}

/**
 * The consent bar for visitors without scripts: `POST /consent` takes its forms and shows the page again (303).
 * `GET /consent.css` is a style sheet of each visitor's own, which only browsers without scripts load: by it a page that
 * is the same for everybody hides the bar from those who have answered.
 */
export function consentEndpoints(app: FastifyInstance, parts: ServerParts): void {
  const { configuration, visitorSettings, statistics, limits } = parts;
  const { consent: mode, asksFor = [] } = visitorSettings(configuration.defaultLocale) ?? {};
  if (asksFor.length === 0) return;

  app.get('/consent.css', ({ headers }, reply) => {
    const hasAnswer = mode === 'implied' || hasAnswered(headers.cookie);
    const style = hasRefusalSignal(headers) ? refused : hasAnswer ? answered : '';
    return reply.type('text/css; charset=utf-8').header('cache-control', 'no-store').send(style);
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Nobody else may answer for a visitor.
    if (!comesFromHere(request.headers)) return reply.code(403).type('text/plain').send('403\n');
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const consent = readConsentForm(form, asksFor);
    if (consent === null) return reply.code(400).type('text/plain').send('400\n');
    const token = consent.statistics ? null : tokenIn(request);
    if (token !== null && statistics !== null) {
      await limits.reports(request.visitor);
      await statistics.forget(token);
    }
    const { lifeS } = storedItems.consent;
    const cookie = { name: 'consent', value: consentValue(consent), maxAgeS: lifeS, isForScripts: true };
    const cookies = [
      writeCookie(cookie, request.isSecure),
      ...(consent.statistics ? [] : deletions(request)),
    ];
    return sendAnswer(redirect(303, pageOf(request)), { ...noneOwn, cookies }, request, reply);
  }

  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBodyBytes },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    scope.post('/consent', answer);
    done();
  });
}
