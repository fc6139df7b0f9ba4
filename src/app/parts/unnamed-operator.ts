import type { Logger } from 'pino';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';

/** Warns when the configuration does not say who runs the site, which many countries require on its pages. */
export function warnOfUnnamed({ unnamed }: Pick<SiteConfiguration, 'unnamed'>, logger: Logger): void {
  if (unnamed.length === 0) return;
  logger.warn(
    { missing: unnamed },
    'the site configuration does not say who runs the site: the pages about, privacy-policy and dmca lack it, and mail goes to contact@ the domain',
  );
}
