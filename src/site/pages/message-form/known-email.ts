import { onConsent } from '../../consent/current-consent.ts';
import { cookieText } from '../../visitors/stored-cookies.ts';

/** Fills in the visitor's last e-mail address, if they consented to storing it. @returns a function that stops it */
export function fillInEmail(form: HTMLFormElement | null): () => void {
  return onConsent(({ statistics }) => {
    const field = form?.elements.namedItem('email');
    if (statistics && field instanceof HTMLInputElement && field.value === '')
      field.value = cookieText('email');
  });
}
