/** The page properties in a network's link. */
export interface SharedPage {
  /** Its public address, whole. */
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** Absolute address of a picture; empty for none. */
  readonly media: string;
}

/** The site's own texts wherever its pages are shared. */
export interface ShareMarks {
  /** Without "#". */
  readonly hashtags: readonly string[];
  /** Without "@"; empty for none. */
  readonly twitterUser: string;
}

const fieldNames = 'url title description quote hashtags hashtag twitterUser media'.split(' ');

const placeholder = /\{(\w+)\}/g;

/** Everything up to the first parameter. */
const beforeQuery = /^[^?#]*\?&?/;

const fieldsOf = (text: string) => [...text.matchAll(placeholder)].map(([, name = '']) => name);

/** The error in a configured network's address. @returns null for none */
export function templateProblem(template: string): string | null {
  const url = URL.parse(template);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return 'must be an https:// address';
  const wanted = [...url.searchParams.values()].flatMap(fieldsOf);
  const unknown = fieldsOf(template).find((name) => !fieldNames.includes(name));
  if (unknown !== undefined) return `knows no {${unknown}}: ${fieldNames.join(', ')}`;
  if (fieldsOf(template).length !== wanted.length || url.hash !== '')
    return 'has a {…} that is no value of its query';
  return wanted.includes('url') ? null : 'must have {url} in its query';
}

/**
 * The link that opens a network with a page. Parameters without a value are omitted. Page texts can only become
 * parameter values: they are encoded as UTF-8, and lone surrogates become U+FFFD.
 * @param template with the names of fields in braces, each within a parameter's value
 */
export function shareLink(template: string, page: SharedPage, { hashtags, twitterUser }: ShareMarks): string {
  const fields: Readonly<Record<string, string>> = {
    ...page,
    quote: page.description,
    hashtags: hashtags.join(','),
    hashtag: hashtags[0] === undefined ? '' : `#${hashtags[0]}`,
    twitterUser,
  };
  const [base = ''] = beforeQuery.exec(template) ?? [];
  const parameters = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(template.slice(base.length))) {
    const filled = value.replace(placeholder, (_, field: string) => fields[field] ?? '').trim();
    if (filled !== '') parameters.append(name, filled);
  }
  // A "+" means a space in forms only: mail and messages would show it.
  return base + String(parameters).replaceAll('+', '%20');
}
