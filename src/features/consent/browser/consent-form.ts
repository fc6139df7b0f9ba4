import { type Consent, type ConsentCategory, noConsent } from '../../../web/consent/consent-cookie.ts';

/**
 * What the consent bar's form says; null for what is no answer. Nobody agrees to what they are not asked for.
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
