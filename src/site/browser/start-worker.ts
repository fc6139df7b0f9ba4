/** As Trusted Types know it; not in all browsers. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(path: string): string },
  ): { createScriptURL(path: string): string };
}

interface WorkerScript {
  /** Path of its script on this site. */
  readonly path: string;
  /** The Trusted Types policy of the feature; it gives the paths of the feature's workers, and no other. */
  readonly policyName: string;
  /** Paths of all workers of the feature; only this one's when left out. */
  readonly paths?: readonly string[];
}

/** A policy can be made once. */
const policies = new Map<string, ReturnType<TrustedTypes['createPolicy']>>();

/** Starts a worker. @throws TypeError for a path that the feature does not have */
export function startWorker({ path, policyName, paths = [path] }: WorkerScript): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy =
    policies.get(policyName) ??
    trustedTypes?.createPolicy(policyName, {
      createScriptURL(wanted) {
        if (!paths.includes(wanted)) throw new TypeError(`no worker at ${wanted}`);
        return wanted;
      },
    });
  if (policy !== undefined) policies.set(policyName, policy);
  return new Worker(policy?.createScriptURL(path) ?? path);
}
