import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { Failure } from '../../failures/failures.ts';
import { type StoredQuota, storedBytes } from '../../server/http/limits/stored-quota.ts';
import { isWithin, type RateLimit } from '../../server/http/limits/visitor-limits.ts';
import type { WhoCounts } from '../../server/http/limits/who-counts.ts';
import { controlCharacterIn } from '../../server/http/plain-text.ts';
import { maxCookieHeaderLength } from '../../server/http/visitor/cookies.ts';
import { isSameOrigin } from '../../server/http/visitor/fetch-metadata.ts';
import { consentOf } from '../../server/http/visitor/request-consent.ts';
import { browserOf, isProgram, shortAgent } from '../../server/http/visitor/user-agent.ts';
import type { Visitor } from '../../server/http/visitor/visitor.ts';
import { errorResponse, localeOf } from '../../server/instance/errors.ts';
import { body, type Paths, success } from '../../server/openapi/describe.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { randomName } from '../../site/consent/random-name.ts';
import { deviceOf } from '../../site/state/device.ts';
import { systemOf } from '../../site/state/system.ts';
import { storedItems } from '../../site/visitors/stored/stored-items.ts';
import type { Tally } from '../../stores/tally/tally.ts';
import {
  eventData,
  mostInList,
  pageViewData,
  type ReadUploads,
  type Report,
  readUploads,
  toReports,
} from './report.ts';
import type { Statistics } from './statistics.ts';
import { type Cookies, createVisitReader, type VisitNames } from './visits.ts';

const maxBodyBytes = 16 * 1024;

const noStore = { 'cache-control': 'no-store' };

/** Other sites may neither report for a visitor nor request their erasure. */
const refuseOtherSites: onRequestAsyncHookHandler = async (request, reply) => {
  if (isSameOrigin(request.headers)) return;
  const { error } = errorResponse(new Failure('request_invalid'), localeOf(request));
  return reply.code(403).headers(noStore).send({ code: 403, cscode: 403, error });
};

const cookiesOf = ({ headers: { cookie } }: FastifyRequest): Cookies =>
  cookie === undefined ? {} : parseCookie(cookie.slice(0, maxCookieHeaderLength));

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

/** Limits of reports. */
export interface ReportLimits {
  /** One address's limit. */
  readonly reports: RateLimit;
  /** Room for reports in the database. */
  readonly storedReports: StoredQuota;
}

interface ReportParts {
  readonly statistics: Statistics;
  readonly visitNames: VisitNames;
  readonly tally: Tally;
  readonly counts: WhoCounts;
  readonly configuration: SiteConfiguration;
  readonly limits: ReportLimits & { readonly forgetting: RateLimit };
}

const forgetSchema = z.object({ token_id: randomName });

/**
 * `POST /api/web/report`: reports of visitors who consented to statistics, one report or a list. It responds before
 * anything is written. `DELETE /api/web/report` deletes everything that belongs to a visitor's token.
 */
export function reportEndpoints(app: FastifyInstance, parts: ReportParts): void {
  const { statistics, tally, configuration, limits } = parts;
  const { consent } = configuration;
  const readVisit = createVisitReader(parts);

  /** Stores reports if there is room for them. @returns false when they were dropped, and counted */
  const keep = async (reports: readonly Report[], visitor: Visitor): Promise<boolean> => {
    const bytes = reports.reduce((sum, report) => sum + storedBytes(report), 0);
    if (await isWithin(limits.storedReports(visitor, bytes, reports.length)))
      return statistics.report(reports);
    tally.add('uncounted', 'report', 'no room', reports.length);
    return false;
  };

  app.register((scope, _, done) => {
    // Beacons to other origins can only be sent as plain text; the content is JSON all the same.
    scope.addContentTypeParser(
      'text/plain',
      { parseAs: 'string' },
      scope.getDefaultJsonParser('error', 'error'),
    );
    const options = {
      ...{ bodyLimit: maxBodyBytes, onRequest: refuseOtherSites },
      config: { refusesControlCharacters: true } as const,
    };

    scope.post('/api/web/report', options, async (request, reply) => {
      await limits.reports(request.visitor);
      const read = readBody(request.body);
      reply.headers(noStore);
      if ('wrongKey' in read) {
        const { error } = errorResponse(new Failure('request_invalid'), localeOf(request));
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
      const visit = await readVisit(first.data, cookies, request, now);
      const sender = { device: deviceOf(agent), browser: browserOf(agent), system: systemOf(agent) };
      const isTaken = await keep(
        toReports(read.uploads, { configuration, visit, sender, now }),
        request.visitor,
      );
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

const upload = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('page_view'), upload_id: z.uuid(), data: pageViewData }),
  z.object({ mode: z.literal('event'), upload_id: z.uuid(), data: eventData }),
]);

const reports = z.union([upload, z.array(upload).min(1).max(mostInList)]);

const names = z.object({
  cscode: z.literal(0),
  data: z.object({
    token_id: z.string().optional().describe('The visitor, once something is kept of them.'),
    tmp_token_id: z.string().optional().describe('The visitor, before that.'),
    doc_id: z.string().optional(),
    visit_timestamp: z.int().optional().describe('Milliseconds since 1970.'),
    s_id: z.string().optional().describe('The visit.'),
    s_expiration: z.int().optional().describe('Seconds after the last report at which the visit ends.'),
  }),
});

const forgotten = z.object({ cscode: z.literal(0), data: z.object({ deleted: z.int() }) });

/** The calls by which browsers report, in the description of the API. */
export const reportPaths: Paths = {
  '/api/web/report': {
    post: {
      operationId: 'report',
      summary:
        'Tells what a visitor did who agreed to statistics. The same `upload_id` counts once; requests from pages of other sites are refused (403).',
      requestBody: body(reports),
      responses: {
        ...success(
          'Taken; nothing is kept of programs and of visitors who have not agreed, nor beyond what an hour has room for.',
          names,
        ),
      },
    },
    delete: {
      operationId: 'forget',
      summary: 'Deletes everything that is kept under a visitor’s token.',
      requestBody: body(z.object({ token_id: z.string() })),
      responses: success('How many reports were deleted.', forgotten),
    },
  },
};
