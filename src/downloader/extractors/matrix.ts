/** Kinds of answers to a request for a page: the list is closed. */
export type Substitute =
  /** A page with a puzzle for scripts or people. */
  | 'challenge'
  /** The site's own page without any post. */
  | 'shell'
  /** The place of the post, and nothing in it. */
  | 'stub'
  | 'maintenance'
  /** HTTP 403 or 401. */
  | 'forbidden'
  | 'other';

/** The answer to a request for a post's page. */
export type Came =
  | 'data'
  | Substitute
  | 'log-in'
  /** HTTP 429, or the notice that the platform is overloaded. */
  | 'throttled'
  | 'no-answer'
  /** A server's error, or an answer that broke off. */
  | 'failed'
  /** The platform answers, but does not give this post to anybody. */
  | 'refused';

/** One request for a post's page, as one client with one HTTP version, with or without cookies. */
export interface MatrixRow {
  readonly identity: string;
  readonly kind: 'desktop' | 'phone' | 'honest';
  readonly http: '1.1' | '2';
  /** `warm` has the cookies of a first answer and of the home page. */
  readonly jar: 'cold' | 'warm';
  readonly came: Came;
  /** Remark for the operator; may be empty. */
  readonly note: string;
  /** Length of the decoded page. */
  readonly bytes: number;
  readonly ms: number;
  readonly encodings: number;
  /** Whether an encoding is above 720p. */
  readonly hd: boolean;
  /** Languages. */
  readonly captions: number;
}

/** Describes the contents of a page with its post, in English; empty for any other answer. */
export function contentOf({ came, encodings, hd, captions }: MatrixRow): string {
  if (came !== 'data') return '';
  return `${encodings} encodings${hd ? ', HD' : ''}${captions > 0 ? `, ${captions} captions` : ''}`;
}

const kinds = { desktop: "the desktop's page", phone: "the phone's page", honest: "the site's own name" };

/** Advice for the operator about the rows of one egress, in English; never empty where there is a row. */
export function adviceFor(rows: readonly MatrixRow[]): readonly string[] {
  if (rows.length === 0) return [];
  const open = rows.filter(({ came }) => came === 'data');
  if (open.length === 0) return [whenAllShut(rows)];
  const found: string[] = [];
  const kind = onlyOne(rows, ({ kind: of }) => of);
  if (kind !== null) found.push(`Only ${kinds[kind]} answers here: nothing to do, the site asks it first.`);
  // One version of those that speak two.
  const both = rows.filter(({ identity, http }) =>
    rows.some((other) => other.identity === identity && other.http !== http),
  );
  const http = onlyOne(both, (row) => row.http);
  if (http !== null)
    found.push(`Only HTTP/${http} is let in here: nothing to do, the site asks by it first.`);
  const jar = onlyOne(rows, (row) => row.jar);
  if (jar === 'warm')
    found.push('Only jars with cookies are let in here: nothing to do, the site fills them and asks again.');
  if (jar === 'cold')
    found.push('Only jars without cookies are let in here: nothing to do, the site throws spoilt jars away.');
  const isOpen = new Set(open.map(({ identity }) => identity));
  const shut = rows.filter((row) => !isOpen.has(row.identity) && (kind === null || row.kind === kind));
  if (shut.length > 0) {
    const names = [...new Set(shut.map(({ identity }) => identity))].join(', ');
    found.push(`Turned away here: ${names}. Nothing to do, other identities are asked first.`);
  }
  if (found.length === 0 && open.length < rows.length)
    found.push('Single requests are turned away here: nothing to do, the site asks by another identity.');
  if (rows.some(({ came }) => came === 'throttled'))
    found.push('Some requests were limited (429): wait some minutes, and add lines to OUTBOUND_PROXIES.');
  if (!open.some(({ hd }) => hd))
    found.push('No page that answers here has HD of this post: try a post that has it elsewhere.');
  else if (open.some(({ hd }) => !hd)) {
    const names = [...new Set(open.filter(({ hd }) => !hd).map(({ identity }) => identity))].join(', ');
    found.push(`No HD as ${names}: nothing to do, pages with HD are asked first.`);
  }
  return found.length > 0 ? found : ['Every identity gets the post here: nothing to do.'];
}

/** The one value that gets the post, where several were tried. */
function onlyOne<T>(rows: readonly MatrixRow[], of: (row: MatrixRow) => T): T | null {
  const [value, ...others] = new Set(rows.filter(({ came }) => came === 'data').map(of));
  return value !== undefined && others.length === 0 && rows.some((row) => of(row) !== value) ? value : null;
}

/** Advice for an egress that gets no page. */
function whenAllShut(rows: readonly MatrixRow[]): string {
  const came = new Set(rows.map((row) => row.came));
  const onlyCame = (...all: readonly Came[]) => [...came].every((one) => all.includes(one));
  const other = 'use another line in OUTBOUND_PROXIES';
  if (onlyCame('no-answer'))
    return "Nothing answers here: check the machine's network, and this line of OUTBOUND_PROXIES.";
  if (came.has('refused'))
    return 'The platform answers, but does not give this post to anybody here: try another post.';
  if (came.has('throttled')) return `Requests are limited here (429): wait some minutes, or ${other}.`;
  if (onlyCame('challenge', 'forbidden', 'no-answer')) return `Every identity is challenged: ${other}.`;
  if (onlyCame('log-in', 'no-answer')) return `Every identity is sent to the log-in page: ${other}.`;
  if (onlyCame('maintenance', 'failed', 'no-answer'))
    return `The platform is under maintenance or broken here: wait, then ${other}.`;
  return `No identity gets the post (${[...came].join(', ')}): ${other}, or put others into USER_AGENTS.`;
}
