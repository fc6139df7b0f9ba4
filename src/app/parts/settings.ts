import type { Logger } from 'pino';
import { coreVariables, type Environment, readEnvironment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import { features } from '../features.ts';

const ofFeatures = features.flatMap(({ variables = [] }) => variables);

/** The variables of the core and of all features. */
export const settings = [coreVariables, ...ofFeatures];

/** The names of all settings. */
export const settingNames: readonly string[] = settings.flatMap(({ shape }) => Object.keys(shape));

/** Checks the environment of this process. @throws EnvironmentError that names all wrong and misspelt variables */
export function readSettings(): Environment {
  try {
    return readEnvironment(process.env, ofFeatures);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const lines = misspelt(process.env).map(
      ({ name, meant }) => `${name}: nothing reads this variable; ${meant} is a setting`,
    );
    throw new EnvironmentError([error.message, ...lines].join('\n'), { cause: error });
  }
}

/** A name, and what is left of it without one of its letters. */
const withoutLetter = (name: string): ReadonlySet<string> =>
  new Set([name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))]);

/** Whether one letter was added, left out or replaced, or two neighbours have changed places. */
const isNear = (one: string, other: string): boolean =>
  !withoutLetter(one).isDisjointFrom(withoutLetter(other));

/** Shorter names are like those of other programs. */
const leastLetters = 7;
/** Variables of other programs whose names resemble ours. */
const foreign = new Set(['HTTP_PROXY']);

/** Variables whose names are nearly those of settings: nothing reads them. */
export function misspelt(
  variables: Readonly<Record<string, string | undefined>>,
): readonly { readonly name: string; readonly meant: string }[] {
  return Object.keys(variables).flatMap((name) => {
    if (name.length < leastLetters || foreign.has(name) || settingNames.includes(name) || !variables[name])
      return [];
    const meant = settingNames.find(
      (setting) => setting.length >= leastLetters && isNear(name.toUpperCase(), setting),
    );
    return meant === undefined || variables[meant] ? [] : [{ name, meant }];
  });
}

/** Warns of variables that nothing reads, because their names are nearly those of settings. */
export function warnOfMisspelt(logger: Logger): void {
  for (const { name, meant } of misspelt(process.env))
    logger.warn({ variable: name, meant }, 'nothing reads this variable: a setting has nearly its name');
}
