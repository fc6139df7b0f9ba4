import { onConsent } from '../../consent/current-consent.ts';
import { cookieText } from '../../visitors/stored-cookies.ts';

/**
 * Fills in the address with which the visitor wrote the last time, where they agreed to its being kept.
 * @returns an end
 */
export function fillInEmail(form: HTMLFormElement | null): () => void {
  return onConsent(({ statistics }) => {
    const field = form?.elements.namedItem('email');
    if (statistics && field instanceof HTMLInputElement && field.value === '')
      field.value = cookieText('email');
  });
}
