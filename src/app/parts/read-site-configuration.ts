import { readFileSync } from 'node:fs';
import { EnvironmentError } from '../../process/environment.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import { parseSiteConfiguration } from './site-configuration.ts';

/** @throws Error which names the file, when it is not JSON or not a site configuration */
export function readConfigurationFile(file: string): SiteConfiguration {
  try {
    return parseSiteConfiguration(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** The same for the file that the environment names. @throws EnvironmentError */
export function readSiteConfiguration(file: string): SiteConfiguration {
  try {
    return readConfigurationFile(file);
  } catch (error) {
    throw new EnvironmentError(`SITE_CONFIG: ${(error as Error).message}`, { cause: error });
  }
}
