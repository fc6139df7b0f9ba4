/** Shows the site's notifications, and opens what they are about. It answers no requests of pages. */

import { registrationOf, requestServer } from '../browser/registration.ts';
import { type PushWorkerSettings, readMessage } from './message.ts';

declare const self: ServiceWorkerGlobalScope;
/** The server writes it before this script. */
declare const workerSettings: PushWorkerSettings;

type SubscriptionChange = Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>;

/** The visitor's language, as far as the browser says: the page's is not known here. */
function languageOf({ languages, defaultLocale }: PushWorkerSettings): string {
  const primary = navigator.languages.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '');
  return languages[primary.find((one) => Object.hasOwn(languages, one)) ?? ''] ?? defaultLocale;
}

/** Registers a subscription in the place of one that the browser has ended or renewed. */
async function registerAgain({ oldSubscription, newSubscription }: SubscriptionChange): Promise<void> {
  const { publicKey, server, appId } = workerSettings;
  const wanted = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(wanted));
  const body = registrationOf(subscription, languageOf(workerSettings), appId);
  const answer = await requestServer(server, 'POST', body);
  const { code } = (await answer.json()) as { code?: unknown };
  if (code !== 200) throw new TypeError(`the push server answers ${answer.status}`);
  if (oldSubscription !== null && oldSubscription.endpoint !== subscription.endpoint)
    await requestServer(server, 'DELETE', { endpoint: oldSubscription.endpoint });
}

/** On failure the device is no longer marked as subscribed: the next opened page then retries. */
async function subscribeAgain(change: SubscriptionChange): Promise<void> {
  try {
    await registerAgain(change);
  } catch (error) {
    console.debug(error);
    // Not in every browser.
    await (self as Partial<ServiceWorkerGlobalScope>).cookieStore?.delete('online_user');
  }
}

async function show(text: string | undefined): Promise<void> {
  const message = readMessage(text, self.location.origin);
  if (message === null) return;
  const { title, body, url, tag, language } = message;
  // A notification with the same tag replaces the shown one silently: a duplicate message is seen once.
  await self.registration.showNotification(title, {
    body,
    tag,
    lang: language,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { url },
  });
}

async function open(url: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url === url);
  if (shown === undefined) await self.clients.openWindow(url);
  else await shown.focus();
}

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('push', (event) => event.waitUntil(show(event.data?.text())));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data as { url: string };
  event.waitUntil(open(url));
});
