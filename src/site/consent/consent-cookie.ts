/** The consent categories. The browser itself asks about push notifications. */
export const consentCategories = ['statistics', 'marketing'] as const;

/** One consent category. */
export type ConsentCategory = (typeof consentCategories)[number];

/** A visitor's consent. */
export type Consent = Readonly<Record<ConsentCategory, boolean>>;

/**
 * Whether visitors are asked (`required`), their visit counts as consent (`implied`), or nothing needs consent (`off`).
 */
export type ConsentMode = 'required' | 'implied' | 'off';

/** Version of the question, the same in all languages: raising it asks everybody again. */
export const consentVersion = 1;

export const noConsent: Consent = { statistics: false, marketing: false };
const fullConsent: Consent = { statistics: true, marketing: true };

/** The cookie's value for an answer: the version, a dot, and one bit for each category. */
export function consentValue(consent: Consent, version = consentVersion): string {
  return `${version}.${consentCategories.map((category) => Number(consent[category])).join('')}`;
}

/** Parses a cookie's value; null when it is missing, of another version or invalid. */
export function parseConsent(value: string | null, version = consentVersion): Consent | null {
  const [, asked, statistics, marketing] = /^(\d{1,6})\.([01])([01])$/.exec(value ?? '') ?? [];
  if (asked !== String(version)) return null;
  return { statistics: statistics === '1', marketing: marketing === '1' };
}

/**
 * The effective consent of a visitor.
 * @param answer the visitor's answer, if any
 * @param isRefusedBySignal whether the browser sends Global Privacy Control or Do Not Track, which refuse everything
 */
export function effectiveConsent(
  mode: ConsentMode,
  answer: Consent | null,
  isRefusedBySignal: boolean,
): Consent {
  if (mode === 'off' || isRefusedBySignal) return noConsent;
  return answer ?? (mode === 'implied' ? fullConsent : noConsent);
}
