import { onFirstSaved } from '../../../site/browser/downloads/first-saved.ts';
import type { VisitorSettings } from '../../../site/visitors/settings.ts';
import { rememberClosed, wasClosed } from '../../../site/visitors/stored/closed.ts';
import { registerWorker } from '../../../site/visitors/worker-registration.ts';
import type { PushSettings } from './settings.ts';
import {
  canPush,
  isMarkedOnline,
  isSwitchedOff,
  presentSubscription,
  refresh,
  subscribe,
  unsubscribe,
} from './subscription.ts';

/** A failure in the visitor's words. */
const errorText = ({ texts }: PushSettings): string =>
  Notification.permission === 'denied' ? texts.blocked : texts.failed;

async function turn(button: HTMLElement, status: HTMLElement, settings: PushSettings): Promise<void> {
  const isOn = button.ariaChecked === 'true';
  status.textContent = '';
  try {
    await (isOn ? unsubscribe(settings) : subscribe(settings));
    if (!isOn) status.textContent = settings.texts.done;
  } catch (error) {
    console.debug(error);
    status.textContent = errorText(settings);
  }
  await showState(button, settings);
}

async function showState(button: HTMLElement, settings: PushSettings): Promise<void> {
  const subscription = await presentSubscription(settings);
  button.ariaChecked = String(subscription !== null && Notification.permission === 'granted');
}

/** Brings the footer's switch to life; the page has it hidden. */
function showSwitch(present: () => PushSettings): void {
  const button = document.querySelector<HTMLElement>('.push-switch');
  const status = document.querySelector<HTMLElement>('.push-status');
  if (button === null || status === null) return;
  void showState(button, present());
  button.hidden = false;
  button.onclick = () => void turn(button, status, present());
}

/** Its name among the closed elements. */
const name = 'push';

function element(tag: 'p' | 'h3' | 'div' | 'section', className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function button(strength: 'plain' | 'quiet', text: string, press: () => void): HTMLElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = `button button-${strength}`;
  made.textContent = text;
  made.onclick = press;
  return made;
}

/** Shows the card below the result. The browser's own question comes only after "yes". */
function offerPush(settings: PushSettings): void {
  const place = document.querySelector('.push-offer');
  if (place === null || wasClosed(name)) return;
  const { texts } = settings;
  const card = element('section', 'card push-card');
  card.ariaLabel = texts.name;
  card.dataset.popup = '';
  const status = element('p', 'push-answer');
  status.role = 'status';
  const buttons = element('div', 'push-buttons');

  async function accept(): Promise<void> {
    try {
      await subscribe(settings);
      status.textContent = texts.done;
      showSwitch(() => settings);
    } catch (error) {
      console.debug(error);
      status.textContent = errorText(settings);
    }
    buttons.remove();
  }

  buttons.append(
    button('plain', texts.yes, () => void accept()),
    button('quiet', texts.no, () => {
      rememberClosed(name);
      card.remove();
    }),
  );
  card.append(element('h3', 'push-title', texts.offer), element('p', '', texts.text), buttons, status);
  place.replaceChildren(card);
}

/** After the service worker is registered, where the site does not wait for a button. */
const immediateDelayMs = 7000;

/** Nothing on the page depends on notifications: errors are logged for developers only. */
const silently = (work: Promise<unknown>) => void work.catch((error: unknown) => console.debug(error));

async function subscribeSoon(settings: PushSettings, whenDone: () => void): Promise<void> {
  if ((await presentSubscription(settings)) !== null) return refresh(settings);
  if (Notification.permission === 'denied' || isSwitchedOff()) return;
  await registerWorker(settings.worker);
  setTimeout(() => silently(subscribe(settings).then(whenDone)), immediateDelayMs);
}

/** Offers notifications after a download that went well, once. */
function offerAfterDownload(present: () => PushSettings): void {
  onFirstSaved(() => {
    if (!isMarkedOnline() && Notification.permission === 'default') offerPush(present());
  });
}

/** Subscribes devices to notifications: by the switch at the end of every page, a card after a download, or at once. */
export function start({ push }: VisitorSettings): ((settings: VisitorSettings) => void) | undefined {
  if (push === undefined || !canPush()) return;
  let present = push;
  const current = () => present;
  showSwitch(current);
  if (push.prompt === 'immediate') silently(subscribeSoon(push, () => showSwitch(current)));
  else {
    silently(refresh(push));
    offerAfterDownload(current);
  }
  return ({ push: next }) => {
    if (next !== undefined) present = next;
    showSwitch(current);
  };
}
