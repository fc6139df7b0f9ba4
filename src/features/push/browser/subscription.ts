import { presentLocale } from '../../../site/translation.tsx';
import { storedItems } from '../../../site/visitors/stored/stored-items.ts';
import { cookieValue, storeCookie } from '../../../site/visitors/stored-cookies.ts';
import { registerWorker } from '../../../site/visitors/worker-registration.ts';
import { registrationOf, requestServer } from './registration.ts';
import type { PushSettings } from './settings.ts';

/** Whether this browser has what notifications need. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Says on the device whether it is subscribed: `1`, or `0` when its visitor switched notifications off. */
const mark = (value: '0' | '1' | null): void =>
  storeCookie('online_user', value ?? '', value === null ? 0 : storedItems.online_user.lifeS);

/** Whether the server knows this device. */
export const isMarkedOnline = (): boolean => cookieValue('online_user') === '1';

/** Whether the visitor switched notifications off; that is remembered from each visit on for as long as the mark lives. */
export function isSwitchedOff(): boolean {
  const isOff = cookieValue('online_user') === '0';
  if (isOff) mark('0');
  return isOff;
}

async function registerWithServer(subscription: PushSubscription, settings: PushSettings): Promise<void> {
  const response = await requestServer(
    settings.server,
    'POST',
    registrationOf(subscription, presentLocale(), settings.appId),
  );
  const { code } = (await response.json()) as { code?: unknown };
  mark(code === 200 ? '1' : null);
  if (code !== 200) throw new TypeError(`the push server answers ${response.status}`);
}

const scopeOf = ({ worker }: PushSettings) => worker.slice(0, worker.lastIndexOf('/') + 1);

/** The device's subscription, if it has one. */
export async function presentSubscription(settings: PushSettings): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scopeOf(settings));
  // The site's worker is registered for folders without one of their own.
  if (registration === undefined || !registration.scope.endsWith(scopeOf(settings))) return null;
  return registration.pushManager.getSubscription();
}

function untilActive(registration: ServiceWorkerRegistration): Promise<void> {
  const coming = registration.installing ?? registration.waiting;
  if (registration.active !== null || coming === null) return Promise.resolve();
  return new Promise((resolve) =>
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve();
    }),
  );
}

/**
 * Subscribes this device, after the browser's permission prompt if necessary, and registers it with the server.
 * @throws the browser's error when the visitor refuses, or when it has no push service; TypeError
 */
export async function subscribe(settings: PushSettings): Promise<void> {
  const registration = await registerWorker(settings.worker);
  await untilActive(registration);
  const wanted = { userVisibleOnly: true, applicationServerKey: settings.publicKey };
  const known = await registration.pushManager.getSubscription();
  // A subscription for other keys can no longer be used.
  if (known !== null && !hasKey(known, settings.publicKey)) await known.unsubscribe();
  await registerWithServer(await registration.pushManager.subscribe(wanted), settings);
}

function hasKey({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer());
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey;
}

/** Tells the server of a device that it should know, and does not. */
export async function refresh(settings: PushSettings): Promise<void> {
  const subscription = await presentSubscription(settings);
  if (subscription !== null && !isMarkedOnline()) await registerWithServer(subscription, settings);
}

/** Ends the subscription, and has the server forget it. */
export async function unsubscribe(settings: PushSettings): Promise<void> {
  const subscription = await presentSubscription(settings);
  // Without a question, only this keeps the device from being subscribed again.
  mark(settings.prompt === 'immediate' ? '0' : null);
  if (subscription === null) return;
  await subscription.unsubscribe();
  await requestServer(settings.server, 'DELETE', { endpoint: subscription.endpoint });
}
