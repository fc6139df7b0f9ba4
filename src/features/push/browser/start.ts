import { onFirstSaved } from '../../../site/browser/downloads/first-saved.ts';
import type { VisitorSettings } from '../../../site/visitors/settings.ts';
import { registerWorker } from '../../../site/visitors/worker-registration.ts';
import { offerPush } from './offer.ts';
import type { PushSettings } from './settings.ts';
import {
  canPush,
  isMarkedOnline,
  isSwitchedOff,
  presentSubscription,
  refresh,
  subscribe,
} from './subscription.ts';
import { showSwitch } from './switch.ts';

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
