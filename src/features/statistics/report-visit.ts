import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { StoredQuota } from '../../server/http/limits/stored-quota.ts';
import type { RateLimit } from '../../server/http/limits/visitor-limits.ts';
import type { WhoCounts } from '../../server/http/limits/who-counts.ts';
import { randomName } from '../../site/consent/random-name.ts';
import type { Upload } from './report-schema.ts';
import type { VisitNames } from './visit-names.ts';

/** Cookies by name, as they were sent. */
export type Cookies = Readonly<Record<string, string | undefined>>;

/** A request's statements about its visitor, and which of them are new. */
export type Visit = Awaited<ReturnType<ReturnType<typeof createVisitReader>>>;

/** Limits of reports. */
export interface ReportLimits {
  /** One address's limit. */
  readonly reports: RateLimit;
  /** Room for reports in the database. */
  readonly storedReports: StoredQuota;
}

/**
 * Reads the visit of a report: names in the report, else those of the cookies, else new ones.
 *
 * A visit or a visitor counts as new without a name, which anybody can omit. So a network has a limit of new ones per
 * hour; the excluded ones are counted too. Reports count in experiments only with a name that was assigned to a counted
 * visit.
 */
export function createVisitReader({
  visitNames,
  counts,
}: {
  readonly visitNames: VisitNames;
  readonly counts: WhoCounts;
}) {
  return async (data: Upload['data'], cookies: Cookies, request: FastifyRequest, now: number) => {
    const known = (name: 'token_id' | 'tmp_token_id' | 's_id' | 'doc_id'): string | undefined =>
      data[name] ?? randomName.safeParse(cookies[name]).data;
    const docId = known('doc_id');
    const given = known('s_id');
    const isFirstOfVisit = given === undefined && (await counts('visit', request));
    const isFirstOfDay = docId === undefined && (await counts('visitor', request));
    const session = given ?? visitNames.make(isFirstOfVisit);
    return {
      // A browser's own name for a visitor is adopted: the same name means the same visitor.
      token: known('token_id') ?? known('tmp_token_id') ?? randomUUID(),
      session,
      docId: docId ?? randomUUID(),
      visitTimestamp:
        data.visit_timestamp ?? Number(/^\d{1,13}$/.exec(cookies.visit_timestamp ?? '')?.[0] ?? now),
      // Where they count.
      ...{ isFirstOfDay, isFirstOfVisit },
      /** Whether experiments count the visit. */
      isVisitCounted: visitNames.isCounted(session),
    };
  };
}
