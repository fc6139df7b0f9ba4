import { loadDocumentWhile } from '../../../site/browser/navigation/guarded-navigation.ts';
import { currentConsent, onConsent } from '../../../site/consent/current-consent.ts';
import { keepReferrer } from './first-referrer.ts';

/** Has the next page come as a document, whose policy lets the tag script in; it learns where the visit came from. */
export function start(): void {
  loadDocumentWhile(() => currentConsent().marketing);
  onConsent(({ marketing }) => keepReferrer(marketing ? document.referrer : ''));
}
