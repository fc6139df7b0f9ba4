import { backendsFields } from '../features/backends/page-backends.ts';
import { monitoringFields } from '../features/monitoring/configuration.ts';
import { promotionFields } from '../features/promotion/configuration/promotion.ts';
import { pushFields } from '../features/push/configuration.ts';
import { parseConfiguration, type SiteConfiguration } from '../web/configuration/configuration.ts';

/** Of every feature that has fields in the site configuration file. */
const features = [backendsFields, monitoringFields, promotionFields, pushFields];

/**
 * Checks the site configuration file.
 * @param json the parsed file
 * @throws Error with one line for each mistake, each naming its place
 */
export const parseSiteConfiguration = (json: unknown): SiteConfiguration =>
  parseConfiguration(json, features);
