import { type Consent, type ConsentCategory, noConsent } from '../../../site/consent/consent-cookie.ts';

/**
 * The answer in the consent bar's form; null when it is invalid. Categories that are not asked for cannot be consented
 * to.
 * @param form `answer` is `all`, `none`, or `chosen` with the names of categories
 */
export function readConsentForm(
  form: FormData | URLSearchParams,
  asksFor: readonly ConsentCategory[],
): Consent | null {
  const answer = form.get('answer');
  if (answer !== 'all' && answer !== 'none' && answer !== 'chosen') return null;
  const agreed = asksFor.filter(
    (category) => answer === 'all' || (answer === 'chosen' && form.has(category)),
  );
  return { ...noConsent, ...Object.fromEntries(agreed.map((category) => [category, true])) };
}
