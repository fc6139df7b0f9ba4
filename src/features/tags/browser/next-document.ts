import { loadDocumentWhile } from '../../../web/browser/navigation/guarded-navigation.ts';
import { currentConsent, onConsent } from '../../../web/consent/current-consent.ts';
import { keepReferrer } from './first-referrer.ts';

/** Has the next page come as a document, whose policy lets the tag script in; it learns where the visit came from. */
export function start(): void {
  loadDocumentWhile(() => currentConsent().marketing);
  onConsent(({ marketing }) => keepReferrer(marketing ? document.referrer : ''));
}
