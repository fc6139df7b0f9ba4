import { type ConsentMode, consentVersion } from '../../../web/consent/consent-cookie.ts';
import { consentAnswer, isRefusedBySignal } from '../../../web/consent/current-consent.ts';

/**
 * Says on the document's root whether the bar has anything to ask: `data-consent` is `answered`, or `refused` where the
 * browser does so for its user, or missing. consent-bar.css follows it.
 */
export function markConsent(mode: ConsentMode): void {
  const { dataset } = document.documentElement;
  if (isRefusedBySignal()) dataset.consent = 'refused';
  else if (mode === 'implied' || consentAnswer() !== null) dataset.consent = 'answered';
  else delete dataset.consent;
}

/** The same as a script for the document's head, which stands alone. */
export const consentMark = (mode: ConsentMode): string =>
  `try{var n=navigator,d=document;d=(n.globalPrivacyControl||n.doNotTrack=='1')?'refused':${
    mode === 'implied'
      ? "'answered'"
      : `/(^|; )consent=${consentVersion}\\.[01]{2}(;|$)/.test(d.cookie)&&'answered'`
  };if(d)document.documentElement.dataset.consent=d}catch(e){}`;
