import {
  type Consent,
  type ConsentMode,
  consentCategories,
  effectiveConsent,
  parseConsent,
} from './consent-cookie.ts';

export type { Consent } from './consent-cookie.ts';

type ConsentListener = (consent: Consent) => void;

let mode: ConsentMode = 'off';
let lastKnown: Consent | null = null;
let channel: BroadcastChannel | undefined;
const listeners = new Set<ConsentListener>();

/** Global Privacy Control (`navigator.globalPrivacyControl`) or Do Not Track. */
export function isRefusedBySignal(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return globalPrivacyControl === true || doNotTrack === '1';
}

/** The visitor's answer; null before an answer, and after the question has changed. */
export function consentAnswer(): Consent | null {
  const [, value = null] = /(?:^|; )consent=([^;]*)/.exec(document.cookie) ?? [];
  return parseConsent(value);
}

/**
 * The effective consent: nothing before an answer, with GPC/DNT, or where consent is "off"; everything where it is
 * "implied".
 */
export function currentConsent(): Consent {
  return effectiveConsent(mode, consentAnswer(), isRefusedBySignal());
}

const isSame = (one: Consent, other: Consent) =>
  consentCategories.every((category) => one[category] === other[category]);

/** Notifies this page's listeners of a change. */
function notify(): void {
  const consent = currentConsent();
  if (lastKnown !== null && isSame(lastKnown, consent)) return;
  lastKnown = consent;
  for (const listener of listeners) listener(consent);
}

/** Sets the site's consent mode. Before the call, nothing counts as consented. */
export function startConsent(asked: ConsentMode): void {
  if (asked === mode) return;
  mode = asked;
  notify();
}

/** Tells this page and the visitor's other ones that the cookie has changed. */
export function consentChanged(): void {
  notify();
  openChannel().postMessage(null);
}

function openChannel(): BroadcastChannel {
  if (channel !== undefined) return channel;
  channel = new BroadcastChannel('consent');
  channel.addEventListener('message', notify);
  // A page in the back/forward cache misses changes, and answers without scripts send no message.
  for (const type of ['pageshow', 'visibilitychange']) addEventListener(type, notify);
  return channel;
}

/**
 * Calls back at once and at each change, also from another tab.
 * @returns a function that ends it
 */
export function onConsent(listener: ConsentListener): () => void {
  openChannel();
  lastKnown ??= currentConsent();
  listeners.add(listener);
  listener(lastKnown);
  return () => void listeners.delete(listener);
}
