import { policyName, workerPath } from '../paths.ts';

/** As Trusted Types know it; not in all browsers. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(path: string): string };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** Starts the worker that encodes. What is wrong with its script is told by its `error` event. */
export function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy(policyName, { createScriptURL: () => workerPath });
  return new Worker(policy?.createScriptURL(workerPath) ?? workerPath);
}
