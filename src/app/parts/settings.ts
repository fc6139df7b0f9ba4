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

/** Edits that turn one name into the other: letters added, left out, replaced, and neighbours that change places. */
function editsBetween(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const above = rows[row - 1] ?? [];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      line[at] = Math.min(
        (above[at] ?? 0) + 1,
        (line[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (rows[row - 2]?.[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

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
      (setting) => setting.length >= leastLetters && editsBetween(name.toUpperCase(), setting) <= 2,
    );
    return meant === undefined || variables[meant] ? [] : [{ name, meant }];
  });
}

/** Warns of variables that nothing reads, because their names are nearly those of settings. */
export function warnOfMisspelt(logger: Logger): void {
  for (const { name, meant } of misspelt(process.env))
    logger.warn({ variable: name, meant }, 'nothing reads this variable: a setting has nearly its name');
}
