import { parseConfiguration, type SiteConfiguration } from '../../web/configuration/configuration.ts';
import { features } from '../features.ts';

const ofFeatures = features.flatMap(({ configuration }) => configuration ?? []);

/** Names of the pages that features add. */
export const featurePages = features.flatMap(({ pages = {} }) => Object.keys(pages));

/**
 * Checks the site configuration file.
 * @param json the parsed file
 * @throws Error with one line for each mistake, each naming its place
 */
export const parseSiteConfiguration = (json: unknown): SiteConfiguration =>
  parseConfiguration(json, ofFeatures, featurePages);
