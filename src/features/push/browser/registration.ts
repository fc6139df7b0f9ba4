/** A subscription as a server stores it: the body of `POST /index.php/sub/register`. */
interface RegistrationBody {
  readonly language: string;
  /** Seconds by which the device's clock is ahead of UTC. */
  readonly diff_time: number;
  readonly device_model: 'mobile' | 'desktop';
  readonly app_id: string;
  readonly endpoint: string | undefined;
  readonly auth: string | undefined;
  readonly pdhkey: string | undefined;
  readonly explorer: string;
  readonly explorer_version: string;
}

/** Name and main version of the browser: the first that is not a decoy. */
function explorer(): { explorer: string; explorer_version: string } {
  const agent = navigator.userAgent;
  const found = /(Edg|OPR|Firefox|Chrome|Version)\/(\d+)/g;
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' };
  const all = [...agent.matchAll(found)];
  const best = all.find(([, name]) => name === 'Edg' || name === 'OPR') ?? all[0];
  return { explorer: names[best?.[1] ?? ''] ?? best?.[1] ?? '', explorer_version: best?.[2] ?? '' };
}

/** A device's description of itself; runs in pages, and in the service worker that shows notifications. */
export function registrationOf(
  subscription: PushSubscription,
  language: string,
  appId: string,
): RegistrationBody {
  const { endpoint, keys } = subscription.toJSON();
  return {
    language,
    // The browser counts minutes behind UTC.
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
