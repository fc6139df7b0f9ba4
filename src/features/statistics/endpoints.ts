import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { parseAddress } from '../../web/addressing/addresses.ts';
import { pageKeyOf } from '../../web/addressing/page-keys.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import { randomName } from '../../web/consent/random-name.ts';
import { isWithin } from '../../web/http/limits/rate-limits.ts';
import { storedBytes } from '../../web/http/limits/stored-quota.ts';
import { controlCharacterIn } from '../../web/http/plain-text.ts';
import { maxCookieHeaderLength } from '../../web/http/visitor/cookies.ts';
import { consentOf } from '../../web/http/visitor/request-consent.ts';
import { isSameOrigin } from '../../web/http/visitor/same-site.ts';
import { browserOf, deviceOf, isProgram, shortAgent, systemOf } from '../../web/http/visitor/user-agent.ts';
import type { Visitor } from '../../web/http/visitor/visitor.ts';
import { errorAnswer, localeOf } from '../../web/server/errors.ts';
import type { ServerParts } from '../../web/server/parts.ts';
import { type Experiment, isRunning } from '../../web/visitors/experiment.ts';
import { storedItems } from '../../web/visitors/stored/stored-items.ts';
import { type Report, type Sender, storedPayload } from './report.ts';
import { type ReadUploads, readUploads, type Upload } from './report-schema.ts';
import { type Cookies, createVisitReader, type Visit } from './report-visit.ts';

const maxBodyBytes = 16 * 1024;

const noStore = { 'cache-control': 'no-store' };

/** Other sites may neither report for a visitor nor request their erasure. */
const refuseOtherSites: onRequestAsyncHookHandler = async (request, reply) => {
  if (isSameOrigin(request.headers)) return;
  const { error } = errorAnswer(new Failure('request_invalid'), localeOf(request));
  return reply.code(403).headers(noStore).send({ code: 403, cscode: 403, error });
};

const cookiesOf = ({ headers: { cookie } }: FastifyRequest): Cookies =>
  cookie === undefined ? {} : parseCookie(cookie.slice(0, maxCookieHeaderLength));

/** A report's page without its language, in the form of addresses, its key, and its language. */
function placeOf(url: string | undefined, configuration: SiteConfiguration) {
  if (url === undefined) return { path: null, page: 'other', locale: configuration.defaultLocale };
  // After the scheme and the host.
  const { page: path, locale } = parseAddress(url.slice(url.indexOf('/', 'https://'.length)), configuration);
  return { path, page: pageKeyOf(configuration, path), locale };
}

/** The reported experiments that the visitor sees on the page, with valid variants only. */
function trialsOf(
  { ab_try_list = [] }: Upload['data'],
  path: string | null,
  experiments: readonly Experiment[],
  now: number,
) {
  const running = experiments.filter((one) => path !== null && isRunning(one, `/${path}`, now));
  return ab_try_list.filter(({ key, value }) =>
    running.some(({ name, variants }) => name === key && variants.some((one) => one.name === value)),
  );
}

/** Obsolete cookies of an earlier tracker. */
const formerCookie = /^_YY_V3_TID_[\w.-]{0,100}$/;

const clearFormer = (cookies: Cookies): string[] =>
  Object.keys(cookies)
    .filter((name) => formerCookie.test(name))
    .map((name) => stringifySetCookie({ name, value: '', path: '/', maxAge: 0 }));

/** {@link readUploads}, and control characters are refused wherever they stand. */
function readBody(body: unknown): ReadUploads {
  const place = controlCharacterIn(body);
  return place === null
    ? readUploads(body)
    : { wrongKey: place.join('.'), reason: 'holds a control character' };
}

const forgetSchema = z.object({ token_id: randomName });

/**
 * `POST /api/web/report`: reports of visitors who consented to statistics, one report or a list. It responds before
 * anything is written. `DELETE /api/web/report` deletes everything that belongs to a visitor's token.
 */
export function reportEndpoints(app: FastifyInstance, parts: ServerParts): void {
  const { statistics, configuration, limits } = parts;
  const { consent } = configuration.visitors;
  if (statistics === null || consent === 'off') return;
  const readVisit = createVisitReader(parts);

  /** Stores reports if there is room for them. @returns false when they were dropped, and counted */
  const keep = async (reports: readonly Report[], visitor: Visitor): Promise<boolean> => {
    const bytes = reports.reduce((sum, report) => sum + storedBytes(report), 0);
    if (await isWithin(limits.storedReports(visitor, bytes, reports.length)))
      return statistics.report(reports);
    statistics.count({ subject: 'uncounted', name: 'report', detail: 'no room' }, reports.length);
    return false;
  };

  function toReports(uploads: readonly Upload[], visit: Visit, sender: Sender, now: number): Report[] {
    const { token, session, isFirstOfDay, isFirstOfVisit, isVisitCounted } = visit;
    const addresses = new Set(uploads.map(({ data }) => data.url));
    const places = new Map([...addresses].map((url) => [url, placeOf(url, configuration)]));
    return uploads.map(({ upload_id, mode, data }, at) => {
      const { path, page, locale } = places.get(data.url) ?? placeOf(data.url, configuration);
      const ab_try_list = trialsOf(data, path, configuration.visitors.experiments, now);
      return {
        uploadId: upload_id,
        madeAt: now,
        mode,
        token,
        session,
        page,
        locale,
        ...sender,
        isFirstOfDay: isFirstOfDay && at === 0,
        isFirstOfVisit: isFirstOfVisit && at === 0,
        isVisitCounted,
        payload: storedPayload({ ...data, ab_try_list }),
      };
    });
  }

  app.register((scope, _, done) => {
    // Beacons to other origins can only be sent as plain text; the content is JSON all the same.
    scope.addContentTypeParser(
      'text/plain',
      { parseAs: 'string' },
      scope.getDefaultJsonParser('error', 'error'),
    );
    const options = { bodyLimit: maxBodyBytes, onRequest: refuseOtherSites };

    scope.post('/api/web/report', options, async (request, reply) => {
      await limits.reports(request.visitor);
      const read = readBody(request.body);
      reply.headers(noStore);
      if ('wrongKey' in read) {
        const { error } = errorAnswer(new Failure('request_invalid'), localeOf(request));
        const named = { ...error, field: read.wrongKey, reason: read.reason };
        return reply.code(400).send({ code: 400, cscode: 400, error: named });
      }
      const cookies = cookiesOf(request);
      const cleared = clearFormer(cookies);
      if (cleared.length > 0) reply.header('set-cookie', cleared);
      const agent = shortAgent(request.headers['user-agent']);
      const [first] = read.uploads;
      if (first === undefined || isProgram(agent) || !consentOf(request.headers, consent).statistics)
        return { code: 200, cscode: 0, data: {} };
      const now = Date.now();
      const visit = await readVisit(first.data, cookies, request.visitor, now);
      const sender = { device: deviceOf(agent), browser: browserOf(agent), system: systemOf(agent) };
      const isTaken = await keep(toReports(read.uploads, visit, sender, now), request.visitor);
      return {
        code: 200,
        cscode: 0,
        data: {
          // While nothing is stored about a visitor, the name is temporary.
          [isTaken ? 'token_id' : 'tmp_token_id']: visit.token,
          doc_id: visit.docId,
          visit_timestamp: visit.visitTimestamp,
          s_id: visit.session,
          s_expiration: storedItems.s_id.lifeS,
        },
      };
    });

    scope.delete('/api/web/report', options, async (request, reply) => {
      await limits.forgetting(request.visitor);
      const asked = forgetSchema.safeParse(request.body ?? request.query);
      if (!asked.success)
        throw new Failure('request_invalid', { cause: asked.error, note: 'no "token_id" to forget' });
      const deleted = await statistics.forget(asked.data.token_id);
      return reply.headers(noStore).send({ code: 200, cscode: 0, data: { deleted } });
    });
    done();
  });
}
