/** What a visitor can agree to. Push notifications are the browser's own question. */
export const consentCategories = ['statistics', 'marketing'] as const;

/** One of them. */
export type ConsentCategory = (typeof consentCategories)[number];

/** What a visitor has agreed to. */
export type Consent = Readonly<Record<ConsentCategory, boolean>>;

/** Whether visitors are asked (`required`), agree by being here (`implied`), or nothing is there to ask for (`off`). */
export type ConsentMode = 'required' | 'implied' | 'off';

/** Of what visitors are asked, in all languages alike: a greater one asks everybody again. */
export const consentVersion = 1;

export const noConsent: Consent = { statistics: false, marketing: false };
const fullConsent: Consent = { statistics: true, marketing: true };

/** The cookie's value for an answer: the version, a dot, and one bit for each category. */
export function consentValue(consent: Consent, version = consentVersion): string {
  return `${version}.${consentCategories.map((category) => Number(consent[category])).join('')}`;
}

/** The answer that a cookie's value gives; null for none, another version's, and what is no answer. */
export function parseConsent(value: string | null, version = consentVersion): Consent | null {
  const [, asked, statistics, marketing] = /^(\d{1,6})\.([01])([01])$/.exec(value ?? '') ?? [];
  if (asked !== String(version)) return null;
  return { statistics: statistics === '1', marketing: marketing === '1' };
}

/**
 * What holds for a visitor.
 * @param answer what they have said, if anything
 * @param isRefusedBySignal whether the browser sends Global Privacy Control or Do Not Track: a refusal of everything
 */
export function effectiveConsent(
  mode: ConsentMode,
  answer: Consent | null,
  isRefusedBySignal: boolean,
): Consent {
  if (mode === 'off' || isRefusedBySignal) return noConsent;
  return answer ?? (mode === 'implied' ? fullConsent : noConsent);
}
