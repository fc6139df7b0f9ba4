import { type ConsentMode, consentVersion } from '../../../site/consent/consent-cookie.ts';
import { consentAnswer, isRefusedBySignal } from '../../../site/consent/current-consent.ts';

/**
 * Says on the document's root whether the bar has anything to ask: `data-consent` is `answered`, or `refused` where the
 * browser does so for its user, or missing. layout.css follows it.
 */
export function markConsent(mode: ConsentMode): void {
  const { dataset } = document.documentElement;
  if (isRefusedBySignal()) dataset.consent = 'refused';
  else if (mode === 'implied' || consentAnswer() !== null) dataset.consent = 'answered';
  else delete dataset.consent;
}

/** If no script has taken the answer by then, it is sent as the form would send it, and the page stays. */
const holdEarly = `(function(w,d){var a=w.earlyAnswer={end:function(){clearTimeout(t);w.removeEventListener('submit',h)}},t;function h(e){if(e.target.getAttribute('action')!='/consent')return;e.preventDefault();a.form=e.target;a.submitter=e.submitter;clearTimeout(t);t=setTimeout(function(){fetch('/consent',{method:'POST',redirect:'manual',keepalive:true,body:new URLSearchParams(new FormData(a.form,a.submitter))});d.dataset.consent='closed'},5000)}w.addEventListener('submit',h)})(window,document.documentElement)`;

/**
 * The same check as a self-contained script for the document's head. It also holds an answer that is given before any
 * other script is loaded (`earlyAnswer`, see `extra.ts`): submitted as a form, it would reload the page at its
 * top.
 */
export const consentMark = (mode: ConsentMode): string =>
  `try{var n=navigator,d=document;d=(n.globalPrivacyControl||n.doNotTrack=='1')?'refused':${
    mode === 'implied'
      ? "'answered'"
      : `/(^|; )consent=${consentVersion}\\.[01]{2}(;|$)/.test(d.cookie)&&'answered'`
  };if(d)document.documentElement.dataset.consent=d}catch(e){}${holdEarly}`;
