import type { VisitorSettings } from './settings.ts';
import { workerPath, workerPolicy } from './worker-policy.ts';

/** The browser has no service workers, or forbids them here. */
class ServiceWorkersUnsupported extends Error {
  override readonly name = 'ServiceWorkersUnsupported';

  constructor() {
    super('This browser does not support service workers');
  }
}

/** The Trusted Types interface; not in all browsers. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(path: string): string },
  ): { createScriptURL(path: string): string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

function ownPath(path: string): string {
  if (!workerPath.test(path)) throw new TypeError(`${path} is no address of a service worker`);
  return path;
}

function trusted(path: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy(workerPolicy, { createScriptURL: ownPath });
  return policy?.createScriptURL(path) ?? ownPath(path);
}

/**
 * Registers a service worker for its own folder.
 * @throws ServiceWorkersUnsupported; the browser's error when its script is unavailable
 */
export async function registerWorker(path: string): Promise<ServiceWorkerRegistration> {
  if (!('serviceWorker' in navigator)) throw new ServiceWorkersUnsupported();
  return navigator.serviceWorker.register(trusted(path), { updateViaCache: 'none' });
}

/** Registers the service worker of the site. Nothing on the page depends on it: what goes wrong is for developers. */
export function startServiceWorker({ serviceWorker }: VisitorSettings): void {
  if (serviceWorker !== undefined)
    registerWorker(serviceWorker).catch((error: unknown) => console.debug(error));
}
