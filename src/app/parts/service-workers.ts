import type { Environment } from '../../process/environment.ts';
import type { BuiltSite } from '../../web/server/parts.ts';
import type { ServerSettings } from '../../web/visitors/settings.ts';
import { workerPolicy } from '../../web/visitors/worker-policy.ts';

/** What the environment says of service workers. Without a build there is none to be had. */
export function assembleWorkers(
  { SERVICE_WORKER }: Pick<Environment, 'SERVICE_WORKER'>,
  { shell }: BuiltSite,
): {
  readonly hasServiceWorker: boolean;
  /** Names of the policies that may make the workers' addresses. */
  readonly trustedTypes: readonly string[];
  readonly settings: ServerSettings;
} {
  const hasServiceWorker = SERVICE_WORKER && shell !== undefined;
  return {
    hasServiceWorker,
    trustedTypes: hasServiceWorker ? [workerPolicy] : [],
    settings: hasServiceWorker ? { serviceWorker: '/sw.js' } : {},
  };
}
