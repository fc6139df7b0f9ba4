import type { Handle, RouteStep } from './exchange.ts';

/** The site configuration names a step that does not exist. */
export class UnknownStep extends Error {
  override readonly name = 'UnknownStep';
  readonly step: string;

  constructor(step: string) {
    super(`Unknown middleware ${step}`);
    this.step = step;
  }
}

/** The way ended and no step had an answer: the configuration leaves out `route`. */
function noStepAnswered(): never {
  throw new Error('No route step answers: "route_steps" lacks "route"');
}

/**
 * Puts steps together in the order of their names. A name that nobody has makes every request that comes to it fail
 * with {@link UnknownStep}.
 */
export function inOrder(names: readonly string[], steps: readonly RouteStep[]): Handle {
  return names.reduceRight<Handle>((next, name) => {
    const step = steps.find((one) => one.name === name);
    if (step !== undefined) return step.before(next);
    return () => {
      throw new UnknownStep(name);
    };
  }, noStepAnswered);
}
