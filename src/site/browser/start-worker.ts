import { trustedScript } from './trusted-script.ts';

interface WorkerScript {
  /** Path of its script on this site. */
  readonly path: string;
  /** The Trusted Types policy of the feature; it gives the paths of the feature's workers, and no other. */
  readonly policyName: string;
  /** Paths of all workers of the feature; only this one's when left out. */
  readonly paths?: readonly string[];
}

/** Starts a worker. @throws TypeError for a path that the feature does not have */
export const startWorker = ({ path, policyName, paths = [path] }: WorkerScript): Worker =>
  new Worker(trustedScript(path, policyName, (wanted) => paths.includes(wanted)));
