import type { IncomingHttpHeaders } from 'node:http';
import {
  type Consent,
  type ConsentMode,
  consentVersion,
  effectiveConsent,
  noConsent,
  parseConsent,
} from '../../consent/consent-cookie.ts';
import { readCookie } from './cookies.ts';

/**
 * The answer in the `consent` cookie; nothing is agreed to without one, or where it answers another version's question.
 * What holds for a request is what {@link consentOf} says.
 * @param header the `Cookie` header as it came
 */
export function readConsent(header: string | undefined, version = consentVersion): Consent {
  return parseConsent(readCookie(header, 'consent'), version) ?? noConsent;
}

/** Whether the present question has been answered, however. */
export const hasAnswered = (header: string | undefined): boolean =>
  parseConsent(readCookie(header, 'consent')) !== null;

/** Global Privacy Control (`Sec-GPC: 1`) or Do Not Track (`DNT: 1`). */
export const hasRefusalSignal = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-gpc'] === '1' || headers.dnt === '1';

/** What the visitor who sent these headers has agreed to. */
export function consentOf(headers: IncomingHttpHeaders, mode: ConsentMode): Consent {
  const answer = parseConsent(readCookie(headers.cookie, 'consent'));
  return effectiveConsent(mode, answer, hasRefusalSignal(headers));
}
