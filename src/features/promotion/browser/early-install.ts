/**
 * Keeps the browser's offer to install the site until what asks the visitor is loaded: it comes once for a document, and
 * at any time. Stands alone in the document's head, where the site asks in its own words; the browser's own files never
 * write it.
 */
export const earlyInstallScript =
  "addEventListener('beforeinstallprompt',e=>{e.preventDefault();earlyInstallPrompt=e})";
