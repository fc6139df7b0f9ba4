import type { Unit } from './units.ts';

/** A kind of sum: how many hours, days and months of it are kept, and for whom. */
interface SubjectRule {
  /** A unit without a number has no sums; what has no unit is told to observers only. */
  readonly kept: Readonly<Partial<Record<Unit, number>>>;
  /** Nothing is counted where they are absent: the desk and the alarms, or `statistics`. Left out, it always is. */
  readonly audience?: Audience;
}

/** Who reads sums that not every site keeps. */
export type Audience = 'operator' | 'statistics';

const ever = Number.POSITIVE_INFINITY;
const month = { hour: 31 * 24 };
const year = { day: 396, month: 13 };

const ofOperator = { audience: 'operator', kept: { ...month, ...year } } as const satisfies SubjectRule;
const ofStatistics = { audience: 'statistics', kept: { day: ever } } as const satisfies SubjectRule;

/**
 * Everything that is counted. Names and details come from closed lists (formats, languages, keys of pages and failures,
 * the operator's proxies, user agents, keys and experiments) or have a bound of their own, so that nobody outside
 * decides how many rows there are.
 */
export const subjects = {
  /** Answers of a strategy, by `ok` or the key of a failure. */
  strategy: ofOperator,
  /** The same of a user agent, named with its strategy. */
  agent: ofOperator,
  /** The same of an egress. */
  egress: ofOperator,
  /** Questions for a post by the source of the answer, and `ok`, `thin` or the key of a failure. */
  post: ofOperator,
  /** Answers in a new form, by strategy and form. */
  shape: ofOperator,
  /** Files by format, and `complete`, `incomplete` or the key of a failure. */
  download: ofOperator,
  /** Files by language and by page that led to them (`none` where unknown), `complete` or `other`. */
  download_language: ofOperator,
  download_page: ofOperator,
  /** Files by format and time to their first byte. */
  first_byte: ofOperator,
  /** Answers to links, `succeeded` or `failed`, whoever asked: for now only. */
  link: { audience: 'operator', kept: {} },
  /** Responses by class of their status; failures of the platform apart. */
  answer: ofOperator,
  /** Lines of the log that tell of an error. */
  error: ofOperator,
  /** Events that were left out, by kind and reason. */
  uncounted: { kept: { ...month, day: ever, month: 13 } },
  /** Events of visitors who count, by kind (`WhoCounts`), `succeeded` or `failed`. */
  outcome: { kept: month },
  /** Requests with an API key, by its name. */
  api_key: { kept: { month: ever } },
  /** Rows that visitors wanted to leave and that had no room, by table. */
  refused: { kept: month },
  /** Counts with an hourly limit, see `TallyStore.take`. */
  limited: { kept: month },
  /** Log-ins at the desk that did not succeed, by address block, `failed` or `limited`. */
  log_in: { kept: { day: 90 } },
  /** Files by format; how they ended, and the kind of device. */
  download_device: ofStatistics,
  /** Views of a page, and the same by language and kind of device. */
  view: { audience: 'statistics', kept: year },
  view_from: ofStatistics,
  /** Reported events by name and label, and by page. */
  event: { audience: 'statistics', kept: year },
  event_page: ofStatistics,
  /** Visitors of a day, and visits. */
  visitor: { audience: 'statistics', kept: { day: ever, month: 13 } },
  visit: { audience: 'statistics', kept: { day: ever, month: 13 } },
  /** Visits that saw a variant of an experiment, and those that reached its goal, by the day on which they began. */
  exposure: ofStatistics,
  conversion: ofStatistics,
} as const satisfies Record<string, SubjectRule>;

export type Subject = keyof typeof subjects;

const rules: Readonly<Record<Subject, SubjectRule>> = subjects;

/** The units of a subject, and how many of each are kept. */
export const keptOf = (subject: Subject): readonly (readonly [Unit, number])[] =>
  Object.entries(rules[subject].kept) as [Unit, number][];

/** Whether a site counts a subject. @param audiences those that the site has */
export const isCounted = (subject: Subject, audiences: readonly Audience[]): boolean => {
  const { audience, kept } = rules[subject];
  return Object.keys(kept).length > 0 && (audience === undefined || audiences.includes(audience));
};
