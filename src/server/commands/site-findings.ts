import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { exampleDomain, isLoopback } from '../../site/configuration/example-values.ts';
import type { Finding } from './checks.ts';

const wanted: Readonly<Record<string, string>> = {
  operator: 'the name of the person or company that runs the site',
  operator_address: 'its postal address, in one line',
  since: 'the year in which the site began',
  contact_email: 'a mailbox that you read',
};

const missing = (field: string, { contact_email }: SiteConfiguration): Finding => ({
  ...{ of: field, level: 'warning' },
  what:
    field === 'contact_email'
      ? `visitors are told to write to ${contact_email}`
      : `the pages about and privacy-policy do not say ${wanted[field]}`,
  todo: `set "${field}" in the site configuration: ${wanted[field]}`,
});

const implied: Finding = {
  ...{ of: 'consent', level: 'warning' },
  what: 'privacy-policy says that data is collected until visitors decline, which is no consent in the EU',
  todo: 'set "consent" in the site configuration to "required", or ask a lawyer',
};

/**
 * Facts that a public site must state and this one lacks.
 * @param origin the public one
 */
export function siteFindings(configuration: SiteConfiguration, origin: string): readonly Finding[] {
  const { hostname } = new URL(origin);
  const { domain, hosts, unnamed, consent } = configuration;
  if (isLoopback(hostname)) return [];
  const fields = unnamed.map((field) => missing(field, configuration));
  if (consent === 'implied') fields.push(implied);
  if (domain === exampleDomain)
    return [
      {
        ...{ of: 'domain', level: 'error', what: `${domain} is the name of the example` },
        todo: 'set "domain" in a copy of site.config.json, or SITE_ORIGIN',
      },
      ...fields,
    ];
  if ([domain, `www.${domain}`, ...hosts].includes(hostname)) return fields;
  return [
    {
      ...{
        of: 'domain',
        level: 'warning',
        what: `pages name ${domain}, and visitors find the site at ${hostname}`,
      },
      todo: 'correct "domain" in the site configuration, or SITE_ORIGIN',
    },
    ...fields,
  ];
}
