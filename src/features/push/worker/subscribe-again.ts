import { registrationOf, requestServer } from '../browser/registration.ts';
import type { PushWorkerSettings } from './settings.ts';

type Scope = Pick<ServiceWorkerGlobalScope, 'registration' | 'cookieStore'>;

/** The visitor's language, as far as the browser says: the server knows better what the device was registered with. */
function languageOf({ languages, defaultLocale }: PushWorkerSettings): string {
  const primary = navigator.languages.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '');
  return languages[primary.find((one) => Object.hasOwn(languages, one)) ?? ''] ?? defaultLocale;
}

async function registerAgain(
  { registration }: Scope,
  settings: PushWorkerSettings,
  {
    oldSubscription,
    newSubscription,
  }: Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>,
): Promise<void> {
  const { publicKey, server, appId } = settings;
  const subscription =
    newSubscription ??
    (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  const answer = await requestServer(server, 'POST', {
    ...registrationOf(subscription, languageOf(settings), appId),
    ...(oldSubscription !== null && { replaces: oldSubscription.endpoint }),
  });
  const { code } = (await answer.json()) as { code?: unknown };
  if (code !== 200) throw new TypeError(`the push server answers ${answer.status}`);
}

/**
 * Replaces a subscription that the browser has ended or renewed. On failure the device is no longer marked as
 * subscribed: the next opened page then retries.
 */
export async function subscribeAgain(
  scope: Scope,
  settings: PushWorkerSettings,
  event: Pick<PushSubscriptionChangeEvent, 'oldSubscription' | 'newSubscription'>,
): Promise<void> {
  try {
    await registerAgain(scope, settings, event);
  } catch (error) {
    console.debug(error);
    // Not in every browser.
    await (scope as Partial<Scope>).cookieStore?.delete('online_user');
  }
}
