/** Shows the site's notifications, and opens what they are about. It answers no requests of pages. */
import { readMessage } from './message.ts';
import type { PushWorkerSettings } from './settings.ts';
import { subscribeAgain } from './subscribe-again.ts';

declare const self: ServiceWorkerGlobalScope;
/** The server writes it before this script. */
declare const workerSettings: PushWorkerSettings;

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
self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(subscribeAgain(self, workerSettings, event)),
);
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data as { url: string };
  event.waitUntil(open(url));
});
