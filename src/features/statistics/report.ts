import type { Upload } from './report-schema.ts';

/** What the request of a report says of the browser: never its address, nor its name for itself. */
export interface Sender {
  readonly device: string;
  readonly browser: string;
  readonly system: string;
}

/** Random names by which reports belong together. */
export interface Identity {
  readonly token: string;
  readonly session: string;
}

/** A report as it is kept. */
export interface Report extends Identity, Sender {
  readonly uploadId: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  readonly mode: Upload['mode'];
  /** Key of the page. */
  readonly page: string;
  readonly locale: string;
  /** Whether the visitor comes for the first time on this day, and whether a visit begins, as far as these count. */
  readonly isFirstOfDay: boolean;
  readonly isFirstOfVisit: boolean;
  /** Whether experiments count the visit. */
  readonly isVisitCounted: boolean;
  readonly payload: KeptPayload;
}

/**
 * What of a report's data is worth keeping. Names are kept in columns of their own, an e-mail address and a device's are
 * of no use for statistics, and the rest that is left out says again what a column says, or the same for everybody.
 */
export function keptPayload({
  email: _email,
  mac: _mac,
  token_id: _token,
  tmp_token_id: _ownToken,
  s_id: _session,
  finger_id: _finger,
  xargs_request_type: _request,
  ga_ids: _day,
  lang_domain: _language,
  web_version: _version,
  ...kept
}: ReportedEvent) {
  return kept;
}

/** An event says all that a page view does. */
type ReportedEvent = Partial<Extract<Upload, { mode: 'event' }>['data']>;

/** What is kept of a payload. */
type KeptPayload = ReturnType<typeof keptPayload>;
