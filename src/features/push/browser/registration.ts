/** Name and main version of the browser: the first that is not a decoy. */
function explorer() {
  const agent = navigator.userAgent;
  const found = /(Edg|OPR|Firefox|Chrome|Version)\/(\d+)/g;
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' };
  const all = [...agent.matchAll(found)];
  const best = all.find(([, name]) => name === 'Edg' || name === 'OPR') ?? all[0];
  return { explorer: names[best?.[1] ?? ''] ?? best?.[1] ?? '', explorer_version: best?.[2] ?? '' };
}

/**
 * A subscription as a server stores it, with the device's description of itself: the body of
 * `POST /index.php/sub/register`. Runs in pages, and in the service worker that shows notifications.
 */
export function registrationOf(subscription: PushSubscription, language: string, appId: string) {
  const { endpoint, keys } = subscription.toJSON();
  return {
    language,
    // Seconds by which the device's clock is ahead of UTC; the browser counts minutes behind it.
    diff_time: new Date().getTimezoneOffset() * -60,
    device_model: /Mobi|Android|iPhone|iPad/.test(navigator.userAgent) ? 'mobile' : 'desktop',
    app_id: appId,
    endpoint,
    auth: keys?.auth,
    pdhkey: keys?.p256dh,
    ...explorer(),
  };
}

/**
 * Registers with the server that stores subscriptions.
 * @param server its address without a trailing slash; null for this site
 */
export function requestServer(
  server: string | null,
  method: 'POST' | 'DELETE',
  body: object,
): Promise<Response> {
  return fetch(`${server ?? ''}/index.php/sub/register`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
