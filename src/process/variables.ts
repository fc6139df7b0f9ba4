import { z } from 'zod';

/** A whole number, both bounds included. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

export const mailAddress = z.email('must be one e-mail address');

export const yesOrNo = z
  .string()
  .regex(/^(1|0|true|false|yes|no|on|off)$/i, 'must be one of 1, 0, true, false, yes, no, on, off')
  .transform((text) => /^(1|true|yes|on)$/i.test(text));

export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** Text that is hard to guess. */
export const secret = (least: number) => z.string().min(least, `must have at least ${least} characters`);

/** Wrong variables; its message has one line for each, which names it. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/** The variables that are set, as text. */
export type SetVariables = Readonly<Record<string, string | undefined>>;

/** The variables of one owner, the core or a feature. */
export interface OwnVariables<S extends z.ZodRawShape = z.ZodRawShape> {
  readonly shape: S;
  /** Problems by the variable's name. */
  problems(set: SetVariables): Record<string, string>;
  /** @throws EnvironmentError with one line for each invalid variable, and the reason */
  read(environment: { readonly variables: SetVariables }): z.output<z.ZodObject<S>>;
}

/**
 * Declares variables.
 * @param needed variables that require another one
 * @param excluded variables that must not be set where another one is
 */
export function defineVariables<S extends z.ZodRawShape>(
  shape: S,
  needed: Readonly<Record<string, string>> = {},
  excluded: Readonly<Record<string, string>> = {},
): OwnVariables<S> {
  const schema = z.object(shape);
  function problems(set: SetVariables): Record<string, string> {
    const found: Record<string, string> = {};
    for (const { path, message } of schema.safeParse(set).error?.issues ?? [])
      found[String(path[0])] ??= message;
    const wrong = Object.keys(found);
    for (const [name, other] of Object.entries(needed))
      if (set[name] !== undefined && !wrong.includes(name) && set[other] === undefined)
        found[other] ??= `must be set, because ${name} is`;
    for (const [name, other] of Object.entries(excluded))
      if (set[name] !== undefined && set[other] !== undefined)
        found[name] ??= `must not be set, because ${other} is`;
    return found;
  }
  return {
    shape,
    problems,
    read({ variables }) {
      refuse(problems(variables));
      return schema.parse(variables);
    },
  };
}

/** @throws EnvironmentError if there are problems */
export function refuse(problems: Readonly<Record<string, string>>): void {
  const lines = Object.entries(problems).map(([name, message]) => `${name}: ${message}`);
  if (lines.length > 0) throw new EnvironmentError(lines.join('\n'));
}
