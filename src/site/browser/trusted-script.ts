/** The interface of Trusted Types (W3C); not in all browsers. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(path: string): string },
  ): { createScriptURL(path: string): string };
}

/** A policy can be made once. */
const policies = new Map<string, ReturnType<TrustedTypes['createPolicy']>>();

/**
 * The address of a worker's script, for browsers that take trusted ones only.
 * @param policyName of the policy, which the site's headers allow
 * @param isOwn whether the policy gives an address; the same for each call of one policy
 * @throws TypeError for an address that it does not give
 */
export function trustedScript(path: string, policyName: string, isOwn: (path: string) => boolean): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const createScriptURL = (wanted: string) => {
    if (!isOwn(wanted)) throw new TypeError(`${policyName} has no script ${wanted}`);
    return wanted;
  };
  const policy = policies.get(policyName) ?? trustedTypes?.createPolicy(policyName, { createScriptURL });
  if (policy === undefined) return createScriptURL(path);
  policies.set(policyName, policy);
  return policy.createScriptURL(path);
}
