import type { Upload } from './report-schema.ts';

/** The facts about the browser from a report's request: never its address, nor its user agent. */
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

/** A stored report. */
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
  readonly payload: StoredPayload;
}

/**
 * The stored part of a report's data. Names have columns of their own; e-mail and device addresses are useless for
 * statistics; the other dropped fields repeat a column, or are the same for all visitors.
 */
export function storedPayload({
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

/** The stored part of a payload. */
type StoredPayload = ReturnType<typeof storedPayload>;
