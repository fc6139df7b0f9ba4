import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Environment } from '../../process/environment.ts';
import { EnvironmentError } from '../../process/variables.ts';
import { parseConfiguration, type SiteConfiguration } from '../../site/configuration/configuration.ts';
import { withOwnName } from '../../site/configuration/example-values.ts';
import { features } from '../features.ts';

const ofFeatures = features.flatMap(({ configuration }) => configuration ?? []);

/** Names of the pages that features add. */
export const featurePages = features.flatMap(({ pages = {} }) => Object.keys(pages));

/**
 * Checks the site configuration.
 * @param json the parsed file
 * @throws Error with one line for each mistake, each naming its position
 */
export const parseSiteConfiguration = (json: unknown): SiteConfiguration =>
  parseConfiguration(json, ofFeatures, featurePages);

/**
 * Reads a site file.
 * @param origin the public one, which takes the place of the example's name; undefined where the file alone says it
 * @throws Error which names the file, when it is not JSON or not a site configuration
 */
export function readConfigurationFile(file: string, origin?: string): SiteConfiguration {
  try {
    return parseSiteConfiguration(JSON.parse(withOwnName(readFileSync(file, 'utf8'), origin)));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads the file that the environment names. @throws EnvironmentError */
export function readSiteConfiguration({
  SITE_CONFIG,
  SITE_ORIGIN,
}: Pick<Environment, 'SITE_CONFIG' | 'SITE_ORIGIN'>): SiteConfiguration {
  try {
    return readConfigurationFile(SITE_CONFIG, SITE_ORIGIN);
  } catch (error) {
    throw new EnvironmentError(`SITE_CONFIG: ${(error as Error).message}`, { cause: error });
  }
}

/** Warns when the configuration does not say who runs the site, which many countries require on its pages. */
export function warnOfUnnamed({ unnamed }: Pick<SiteConfiguration, 'unnamed'>, logger: Logger): void {
  if (unnamed.length === 0) return;
  logger.warn(
    { missing: unnamed },
    'the site configuration does not say who runs the site: the pages about, privacy-policy and dmca lack it, and mail goes to contact@ the domain',
  );
}
