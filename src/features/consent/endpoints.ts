import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isWithin } from '../../server/http/limits/visitor-limits.ts';
import { redirect } from '../../server/http/responses/response.ts';
import { noneOwn, sendResponse } from '../../server/http/responses/send.ts';
import { readCookies, writeCookie } from '../../server/http/visitor/cookies.ts';
import { isSameOrigin } from '../../server/http/visitor/fetch-metadata.ts';
import { hasAnswered, hasRefusalSignal } from '../../server/http/visitor/request-consent.ts';
import type { Visitor } from '../../server/http/visitor/visitor.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { type Consent, type ConsentCategory, consentValue } from '../../site/consent/consent-cookie.ts';
import { randomName } from '../../site/consent/random-name.ts';
import { storedItems } from '../../site/visitors/stored/stored-items.ts';
import { readConsentForm } from './browser/consent-form.ts';
import { isTagCookie, tagCookieDomains } from './tag-cookies.ts';

const maxBodyBytes = 1024;
/** More than there are; each makes a line for each domain. */
const mostTagCookies = 10;

/** Hides the bar from visitors with nothing to answer, until they open it ("#consent"). */
const answered = '.consent:not(:target){display:none}';
/** For visitors whose browser refuses: the bar says so instead of asking. */
const refused = `${answered}.consent-question{display:none}.consent-refused{display:block}`;

/** The page that the form stood on, as its browser names it; the home page where it does not. */
function pageOf({ headers, host }: FastifyRequest): string {
  const page = URL.parse(headers.referer ?? '');
  return page?.host === host ? page.pathname + page.search : '/';
}

/** The token under which the server has stored a visitor's reports; null when the cookie contains no valid one. */
function tokenIn({ headers: { cookie } }: FastifyRequest): string | null {
  const sent = readCookies(cookie);
  const names = [sent.token_id, sent.tmp_token_id].map((name) => randomName.safeParse(name).data);
  return names.find((name) => name !== undefined) ?? null;
}

/** Lines that delete what waits for consent that is not given, and what the tag script has stored with it. */
function deletions(
  { headers, isSecure, hostname }: FastifyRequest,
  consent: Consent,
  asksFor: readonly ConsentCategory[],
): string[] {
  const sent = readCookies(headers.cookie);
  const line = (name: string, domain: string | null = null) =>
    writeCookie(
      { name, value: '', maxAgeS: 0, isForScripts: true, ...(domain !== null && { domain }) },
      isSecure,
    );
  const ofStatistics = Object.entries(storedItems)
    .filter(([name, { kind }]) => kind === 'statistics' && sent[name] !== undefined)
    .map(([name]) => line(name));
  const ofTags = Object.keys(sent)
    .filter(isTagCookie)
    .slice(0, mostTagCookies)
    .flatMap((name) => tagCookieDomains(hostname).map((domain) => line(name, domain)));
  const mayKeepTags = consent.marketing || !asksFor.includes('marketing');
  return [...(consent.statistics ? [] : ofStatistics), ...(mayKeepTags ? [] : ofTags)];
}

/**
 * The consent bar for visitors without scripts: `POST /consent` takes its forms and shows the page again (303). `GET
 * /consent.css` is a per-visitor style sheet that only browsers without scripts load: it hides the bar, on a page that
 * is the same for all visitors, from those who have answered.
 */
export function consentEndpoints(app: FastifyInstance, parts: ServerDependencies): void {
  const { configuration, visitorSettings, limits } = parts;
  const { consent: mode, asksFor = [] } = visitorSettings(configuration.default_locale) ?? {};
  if (asksFor.length === 0) return;

  app.get('/consent.css', ({ headers }, reply) => {
    const hasAnswer = mode === 'implied' || hasAnswered(headers.cookie);
    const style = hasRefusalSignal(headers) ? refused : hasAnswer ? answered : '';
    return reply.type('text/css; charset=utf-8').header('cache-control', 'no-store').send(style);
  });

  /** A refusal is taken however often it comes; of so many names, most are made up. */
  async function forget(token: string, visitor: Visitor): Promise<void> {
    if (await isWithin(limits.forgetting(visitor))) await parts.forget(token);
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Other sites must not answer for a visitor.
    if (!isSameOrigin(request.headers)) return reply.code(403).type('text/plain').send('403\n');
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const consent = readConsentForm(form, asksFor);
    if (consent === null) return reply.code(400).type('text/plain').send('400\n');
    const token = consent.statistics ? null : tokenIn(request);
    if (token !== null) await forget(token, request.visitor);
    const { lifeS } = storedItems.consent;
    const cookie = { name: 'consent', value: consentValue(consent), maxAgeS: lifeS, isForScripts: true };
    const cookies = [writeCookie(cookie, request.isSecure), ...deletions(request, consent, asksFor)];
    return sendResponse(redirect(303, pageOf(request)), { ...noneOwn, cookies }, request, reply);
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
