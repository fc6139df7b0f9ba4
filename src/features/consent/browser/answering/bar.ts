import { consentCategories } from '../../../../site/consent/consent-cookie.ts';
import {
  consentAnswer,
  currentConsent,
  isRefusedBySignal,
} from '../../../../site/consent/current-consent.ts';

/** The element that had the focus before the bar was opened, and gets it back afterwards. */
let opener: HTMLElement | null = null;

const bar = () => document.getElementById('consent');

/** Ticks the visitor's present choice. */
function tickPresent(): void {
  const present = consentAnswer() ?? currentConsent();
  for (const category of consentCategories) {
    const box = bar()?.querySelector<HTMLInputElement>(`input[name=${category}]`);
    if (box) box.checked = present[category];
  }
}

/** Shows the bar again. @param from the link that was followed */
export function openBar(from: HTMLElement): void {
  opener = from;
  tickPresent();
  const { dataset } = document.documentElement;
  if (dataset.consent === 'closed') dataset.consent = isRefusedBySignal() ? 'refused' : 'answered';
  dataset.consentOpen = '';
  const controls = bar()?.querySelectorAll<HTMLElement>('button, .consent-refused a') ?? [];
  [...controls].find((one) => one.checkVisibility())?.focus({ preventScroll: true });
}

/** Takes the bar away, and the keyboard back to where it was. */
export function closeBar(): void {
  const { dataset } = document.documentElement;
  const hadFocus = document.activeElement?.closest('.consent') != null;
  delete dataset.consentOpen;
  dataset.consent = 'closed';
  if (hadFocus) (opener ?? document.getElementById('content'))?.focus({ preventScroll: true });
  opener = null;
}
