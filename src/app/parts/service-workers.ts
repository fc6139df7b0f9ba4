import type { Environment } from '../../process/environment.ts';
import type { PolicyAdditions } from '../../server/http/responses/security-headers.ts';
import type { BuiltSite } from '../../server/instance/parts.ts';
import type { ServerSettings } from '../../site/visitors/settings.ts';
import { workerPolicy } from '../../site/visitors/worker-policy.ts';

/** The environment's settings for service workers. Without a build there are none. */
export function assembleWorkers(
  { SERVICE_WORKER }: Pick<Environment, 'SERVICE_WORKER'>,
  { shell }: BuiltSite,
): {
  readonly hasServiceWorker: boolean;
  /** Allows them to make the workers' addresses. */
  readonly policy: PolicyAdditions;
  readonly settings: ServerSettings;
} {
  const hasServiceWorker = SERVICE_WORKER && shell !== undefined;
  return {
    hasServiceWorker,
    policy: hasServiceWorker ? { trustedTypes: [workerPolicy] } : {},
    settings: hasServiceWorker ? { serviceWorker: '/sw.js' } : {},
  };
}
