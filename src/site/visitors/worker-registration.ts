import { trustedScript } from '../browser/trusted-script.ts';
import type { VisitorSettings } from './settings.ts';
import { workerPath, workerPolicy } from './worker-policy.ts';

/** The browser has no service workers, or forbids them here. */
class ServiceWorkersUnsupported extends Error {
  override readonly name = 'ServiceWorkersUnsupported';

  constructor() {
    super('This browser does not support service workers');
  }
}

/**
 * Registers a service worker for its own folder.
 * @throws ServiceWorkersUnsupported; the browser's error when its script is unavailable
 */
export async function registerWorker(path: string): Promise<ServiceWorkerRegistration> {
  if (!('serviceWorker' in navigator)) throw new ServiceWorkersUnsupported();
  return navigator.serviceWorker.register(
    trustedScript(path, workerPolicy, (wanted) => workerPath.test(wanted)),
    { updateViaCache: 'none' },
  );
}

/** Registers the service worker of the site. Nothing on the page depends on it: errors are only logged. */
export function startServiceWorker({ serviceWorker }: VisitorSettings): void {
  if (serviceWorker !== undefined)
    registerWorker(serviceWorker).catch((error: unknown) => console.debug(error));
}
