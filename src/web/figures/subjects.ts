/**
 * What is summed up by hour and by day. Names come from closed lists (formats, languages, keys of pages and failures,
 * the operator's proxies and user agents), so that nobody outside decides how many rows there are.
 *
 * - `strategy` answers of each strategy by how they ended: `ok` or a failure's key
 * - `agent` the same of each user agent, named with its strategy
 * - `egress` the same of each egress
 * - `post` questions for a post by where the answer came from, and what it was: `ok`, `thin` or a failure's key
 * - `shape` answers in a new form: the strategy, and the form
 * - `download` files by format and outcome
 * - `download_language`, `download_page` files by language and page that led to them; `none` where none is known
 * - `first_byte` files by format and time to their first byte, see {@link firstByteBuckets}
 * - `answer` responses to requests by class of their status
 * - `error` lines of the log that tell of an error
 * - `counted` events that count, by kind and outcome, and `uncounted` those that do not, by kind and reason, see
 *   `WhoCounts`
 *
 * Of visitors' reports and views, by day only, as statistics keep them:
 *
 * - `view` by key of the page, `event` by name and label, `visitor`, `visit`
 */
export type Subject = (typeof subjects)[number];

export const subjects = [
  'strategy',
  'agent',
  'egress',
  'post',
  'shape',
  'download',
  'download_language',
  'download_page',
  'first_byte',
  'answer',
  'error',
  'counted',
  'uncounted',
  'view',
  'event',
  'visitor',
  'visit',
] as const;

/** Upper bounds of times to the first byte, in ms; the last bucket has none. */
export const firstByteBuckets = [100, 250, 500, 1000, 2000, 4000, 8000, Number.POSITIVE_INFINITY] as const;

/** The bucket of a time, by its upper bound: `100`, …, `8000`, `more`. */
export function firstByteBucket(ms: number): string {
  const bound = firstByteBuckets.find((most) => ms <= most) ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(bound) ? String(bound) : 'more';
}

const longestName = 60;
/** The first that is named; Android names Linux too. */
const systems = ['iPhone', 'iPad', 'Android', 'Windows', 'Macintosh', 'Linux'];

/**
 * A short name for a user agent of the operator's list: `Chrome 151, Windows`. Two that differ in nothing else have one.
 */
export function agentName(agent: string): string {
  const [, mobile] = /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/.exec(agent) ?? [];
  const [, family, version] = /\b(Edg|Firefox|Chrome)\/(\d+)/.exec(agent) ?? [];
  const browser =
    family === undefined ? mobile && `Safari ${mobile}` : `${family === 'Edg' ? 'Edge' : family} ${version}`;
  const system = systems.find((one) => agent.includes(one));
  if (browser === undefined) return agent.slice(0, longestName);
  return system === undefined ? browser : `${browser}, ${system === 'Macintosh' ? 'macOS' : system}`;
}
