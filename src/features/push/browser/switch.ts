import type { PushSettings } from './settings.ts';
import { presentSubscription, subscribe, unsubscribe } from './subscription.ts';

/** A failure in the visitor's words. */
export const errorText = ({ texts }: PushSettings): string =>
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
export function showSwitch(present: () => PushSettings): void {
  const button = document.querySelector<HTMLElement>('.push-switch');
  const status = document.querySelector<HTMLElement>('.push-status');
  if (button === null || status === null) return;
  void showState(button, present());
  button.hidden = false;
  button.onclick = () => void turn(button, status, present());
}
