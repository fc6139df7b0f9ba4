import type { IncomingHttpHeaders } from 'node:http';
import {
  type Consent,
  type ConsentMode,
  consentVersion,
  effectiveConsent,
  noConsent,
  parseConsent,
} from '../../../site/consent/consent-cookie.ts';
import { readCookie } from './cookies.ts';

/**
 * The answer in the `consent` cookie; null without one, or for another version's question. {@link consentOf} gives the
 * effective consent.
 * @param header the raw `Cookie` header
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

/** The consent of the visitor who sent these headers. */
export function consentOf(headers: IncomingHttpHeaders, mode: ConsentMode): Consent {
  const answer = parseConsent(readCookie(headers.cookie, 'consent'));
  return effectiveConsent(mode, answer, hasRefusalSignal(headers));
}
