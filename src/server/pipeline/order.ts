import type { Handle, RouteStep } from './route-context.ts';

/** The site configuration names a step that does not exist. */
export class UnknownStep extends Error {
  override readonly name = 'UnknownStep';
  readonly step: string;

  constructor(step: string) {
    super(`Unknown middleware ${step}`);
    this.step = step;
  }
}

/** No step responded: the configuration omits `route`. */
function noStepResponded(): never {
  throw new Error('No route step answers: "route_steps" lacks "route"');
}

/**
 * Composes steps in the order of their names. An unknown name fails every request that reaches it with {@link
 * UnknownStep}.
 */
export function inOrder(names: readonly string[], steps: readonly RouteStep[]): Handle {
  return names.reduceRight<Handle>((next, name) => {
    const step = steps.find((one) => one.name === name);
    if (step !== undefined) return step.before(next);
    return () => {
      throw new UnknownStep(name);
    };
  }, noStepResponded);
}
