import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { configureCatalogue } from '../../../i18n/catalogue.ts';
import type { Environment } from '../../../process/environment.ts';
import type { PolicyAdditions } from '../../../server/http/responses/security-headers.ts';
import type { BuiltSite } from '../../../server/instance/parts.ts';
import { type OwnSite, openOwnSite } from '../../../server/own-site/own-site.ts';
import { accentStyle } from '../../../site/configuration/accent.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';

/**
 * Opens the site's own folder, puts its words into the catalogues, and warns of what has no place.
 * @throws EnvironmentError
 */
export async function assembleOwnSite(
  { SITE_DIR }: Pick<Environment, 'SITE_DIR'>,
  { locales, accent }: SiteConfiguration,
  logger: Logger,
): Promise<OwnSite & { readonly policy: PolicyAdditions; withVersion(site: BuiltSite): BuiltSite }> {
  const own = await openOwnSite(SITE_DIR, locales);
  configureCatalogue({ own: own.words });
  for (const { of, what } of [...own.leftOut, ...own.gaps]) logger.warn({ file: of }, what);
  return {
    ...own,
    policy: accent ? { styles: [`'sha256-${hash('sha256', accentStyle(accent), 'base64')}'`] } : {},
    /** Instances with other words share no pages. */
    withVersion: (site) =>
      own.version === '' ? site : { ...site, version: `${site.version}-${own.version}` },
  };
}
