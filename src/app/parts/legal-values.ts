import type { LegalValues } from '../../content/legal-documents.ts';
import type { Locale } from '../../i18n/languages.ts';
import type { Environment } from '../../process/environment.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { noSettings, type VisitorSettings } from '../../site/visitors/settings.ts';
import { cookieTables } from '../../site/visitors/stored/cookie-tables.ts';

/** A value that only conditions ask for. */
const yes = (is: boolean) => (is ? 'yes' : '');

/**
 * What the legal documents of a language say of this site.
 * @param settings null for a site without any
 * @param ofFeatures what features say of themselves
 */
export function legalValues(
  configuration: SiteConfiguration,
  { HONOUR_DOWNLOAD_SETTING }: Pick<Environment, 'HONOUR_DOWNLOAD_SETTING'>,
  locale: Locale,
  settings: VisitorSettings | null,
  ofFeatures: Partial<LegalValues>,
): LegalValues {
  const { domain, operator, contact_email, unnamed, statistics_days, experiments, ads_txt } = configuration;
  const { operator_address = '', since = '', source_url = '', dmca_agent = '' } = configuration;
  const { consent, asksFor, statistics, tag } = settings ?? noSettings;
  const choice = asksFor.length > 0;
  const isImplied = choice && consent === 'implied';
  const sendsReports = statistics !== undefined && statistics.base !== '';
  const reachesOthers = tag !== undefined || sendsReports;
  const leaves = configuration.preconnect.length > 0 || (isImplied && reachesOthers);
  return {
    domain,
    // Its default is the site's address, which answers for nothing.
    operator: unnamed.includes('operator') ? '' : operator,
    contact_email,
    operator_address,
    since: String(since),
    source_url,
    dmca_agent,
    statistics_days: String(statistics_days),
    messages_days: '',
    ...cookieTables(locale, experiments),
    asks: yes(choice && !isImplied),
    implied: yes(isImplied),
    choice: yes(choice),
    statistics: yes(statistics !== undefined),
    own_statistics: yes(statistics !== undefined && !sendsReports),
    analytics: yes(sendsReports),
    partners: yes(statistics !== undefined && asksFor.includes('marketing')),
    tag: yes(tag !== undefined),
    experiments: yes(experiments.length > 0),
    notifications: '',
    error_reports: '',
    acknowledgements: '',
    desk: '',
    ads: yes(configuration.hasAds || ads_txt.length > 0),
    stays: yes(!leaves && !reachesOthers),
    stays_unless_agreed: yes(!leaves && reachesOthers),
    honours_saving_off: yes(HONOUR_DOWNLOAD_SETTING),
    ...ofFeatures,
  };
}
