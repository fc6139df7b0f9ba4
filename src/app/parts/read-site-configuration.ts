import { readFileSync } from 'node:fs';
import { EnvironmentError } from '../../process/environment.ts';
import type { SiteConfiguration } from '../../web/configuration/configuration.ts';
import { parseSiteConfiguration } from '../site-configuration.ts';

/** @throws EnvironmentError when the file is not JSON or not a site configuration */
export function readSiteConfiguration(file: string): SiteConfiguration {
  try {
    return parseSiteConfiguration(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new EnvironmentError(`SITE_CONFIG: ${file}: ${(error as Error).message}`, { cause: error });
  }
}
