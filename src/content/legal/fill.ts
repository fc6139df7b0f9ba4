/** What legal documents say of a site, by the name that stands in them. */
export const valueNames = [
  'domain',
  'operator',
  'contact_email',
  'operator_address',
  'since',
  'source_url',
  'dmca_agent',
  'statistics_days',
  'messages_days',
  'cookies_without_consent',
  'cookies_with_consent',
  'device_storage',
  // Only whether they are empty counts for the following.
  /** Visitors are asked before anything that identifies them is stored. */
  'asks',
  /** A visit counts as consent until the visitor declines. */
  'implied',
  /** A visitor can decline something. */
  'choice',
  'statistics',
  /** The records of visits stay on this site. */
  'own_statistics',
  /** The records of visits go to the operator's other server (`analytics_url`). */
  'analytics',
  /** Links to partners tell them who follows them. */
  'partners',
  /** A tag script of another company is loaded for those who agree. */
  'tag',
  'experiments',
  'notifications',
  'error_reports',
  /** Who writes to the site gets a mail that says that it arrived. */
  'acknowledgements',
  /** There is a log-in for the operator. */
  'desk',
  'ads',
  /** No page makes a browser contact another server. */
  'stays',
  /** The same, unless the visitor agrees. */
  'stays_unless_agreed',
  /** Posts whose creator turned off saving are refused. */
  'honours_saving_off',
] as const;

type ValueName = (typeof valueNames)[number];

/** A site's values and Markdown tables. Empty for what a site does not state, or does not do. */
export type LegalValues = Readonly<Record<ValueName, string>>;

const placeholder = /\{([a-z_]+)\}/g;
const condition = /\{if ([a-z_]+)\}([\s\S]*?)(?:\{else\}([\s\S]*?))?\{end\}(\n?)/g;

/**
 * Chooses what holds on a site: `{if NAME}…{else}…{end}` is its first part where the value is not empty, else its second
 * one. Conditions contain no others; one without text that fills its lines leaves no empty line. Unknown ones stay.
 */
function choose(source: string, values: LegalValues): string {
  return source.replace(
    condition,
    (whole, name: string, yes: string, no: string | undefined, newline: string, at: number) => {
      if (!Object.hasOwn(values, name)) return whole;
      const chosen = values[name as ValueName] === '' ? (no ?? '') : yes;
      const fillsLine = at === 0 || source[at - 1] === '\n';
      return chosen === '' && fillsLine ? '' : chosen + newline;
    },
  );
}

/**
 * A document with a site's values for `{name}`, and what holds on the site. A line that names a value which the site does
 * not state is left out: a paragraph or a list's entry is one line.
 */
export function fill(source: string, values: LegalValues): string {
  const known = (name: string) => (Object.hasOwn(values, name) ? values[name as ValueName] : undefined);
  return choose(source, values)
    .split('\n')
    .filter((line) => [...line.matchAll(placeholder)].every(([, name = '']) => known(name) !== ''))
    .map((line) => line.replace(placeholder, (whole, name: string) => known(name) ?? whole))
    .join('\n');
}

/** The values that a document names or asks for, and no site has. */
export const unknownValues = (source: string): string[] =>
  [...source.matchAll(/\{(?:if )?([a-z_]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => ![...valueNames, 'else', 'end'].includes(name));
