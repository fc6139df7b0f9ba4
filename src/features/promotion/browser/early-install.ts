/**
 * Keeps the browser's install prompt until the code that asks the visitor is loaded: the event fires once per document,
 * at any time. Self-contained, in the document's head, on sites that ask in their own words; the browser's own bundles
 * never write it.
 */
export const earlyInstallScript =
  "addEventListener('beforeinstallprompt',e=>{e.preventDefault();earlyInstallPrompt=e})";
