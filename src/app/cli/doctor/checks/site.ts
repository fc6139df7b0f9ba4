import type { Check } from '../../../../server/commands/checks.ts';
import { siteFindings } from '../../../../server/commands/site-findings.ts';

export const site: Check = {
  name: 'site',
  async run({ configuration, origin }) {
    const found = siteFindings(configuration, origin);
    if (found.length > 0) return found;
    return [{ level: 'ok', what: `${configuration.brand} by ${configuration.operator} at ${origin}` }];
  },
};
