import type { Check } from '../../../../server/commands/checks.ts';
import { siteFindings } from '../../../../server/commands/site-findings.ts';
import { openOwnSite } from '../../../../server/own-site/own-site.ts';

export const site: Check = {
  name: 'site',
  todo: 'correct the site configuration (docs/site-configuration.md)',
  async run({ environment, configuration, origin }) {
    const { leftOut, gaps } = await openOwnSite(environment.SITE_DIR, configuration.locales);
    const found = [...siteFindings(configuration, origin), ...leftOut, ...gaps];
    if (found.length > 0) return found;
    return [{ level: 'ok', what: `${configuration.brand} by ${configuration.operator} at ${origin}` }];
  },
};
