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
let told: Consent | null = null;
let channel: BroadcastChannel | undefined;
const listeners = new Set<ConsentListener>();

/** Global Privacy Control (`navigator.globalPrivacyControl`) or Do Not Track. */
export function isRefusedBySignal(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return globalPrivacyControl === true || doNotTrack === '1';
}

/** What the visitor has answered; null before an answer, and where the question has become another one. */
export function consentAnswer(): Consent | null {
  const [, value = null] = /(?:^|; )consent=([^;]*)/.exec(document.cookie) ?? [];
  return parseConsent(value);
}

/** What the visitor has agreed to: nothing before an answer, with GPC/DNT, or where consent is "off"; all where it is "implied". */
export function currentConsent(): Consent {
  return effectiveConsent(mode, consentAnswer(), isRefusedBySignal());
}

const isSame = (one: Consent, other: Consent) =>
  consentCategories.every((category) => one[category] === other[category]);

/** Tells who listens on this page, when anything has changed. */
function tell(): void {
  const consent = currentConsent();
  if (told !== null && isSame(told, consent)) return;
  told = consent;
  for (const listener of listeners) listener(consent);
}

/** Says how the site asks. Before, nobody has agreed to anything. */
export function startConsent(asked: ConsentMode): void {
  if (asked === mode) return;
  mode = asked;
  tell();
}

/** Tells this page and the visitor's other ones that the cookie has changed. */
export function consentChanged(): void {
  tell();
  openChannel().postMessage(null);
}

function openChannel(): BroadcastChannel {
  if (channel !== undefined) return channel;
  channel = new BroadcastChannel('consent');
  channel.addEventListener('message', tell);
  // A page that was put aside meanwhile has heard nothing, and nobody tells of an answer without scripts.
  for (const type of ['pageshow', 'visibilitychange']) addEventListener(type, tell);
  return channel;
}

/** Calls back at once and at each change, also from another tab. Returns an end. */
export function onConsent(listener: ConsentListener): () => void {
  openChannel();
  told ??= currentConsent();
  listeners.add(listener);
  listener(told);
  return () => void listeners.delete(listener);
}
