/**
 * Every failure as a typed value with a stable key. The key is public: API clients and the message catalogues
 * (`errors.{key}`) rely on it. Never rename one. The web layer assigns HTTP statuses.
 */

/**
 * Faults of a visitor's input. The English messages of `link_missing` and `link_invalid`, and the home page's for the
 * first (`link.missing` of `tool`), begin with sentences that are fixed verbatim. The hint says what to do; pages show
 * it first.
 */
const linkKeys = [
  'link_missing',
  'link_invalid',
  'link_profile',
  'link_live',
  'link_sound',
  'link_hashtag',
  'link_effect',
  'link_collection',
  'link_search',
  'link_shop',
  'link_stories',
  'link_profile_list',
  'link_place',
  'link_login',
  'link_lite',
  'link_douyin',
  'link_handle',
] as const;

/** Requests that cannot be answered, whatever their subject. */
const requestKeys = [
  'request_invalid',
  'request_too_large',
  'address_unknown',
  'method_not_allowed',
  'media_type_unsupported',
  'headers_too_large',
  'request_timeout',
  'range_unsatisfiable',
  'api_key_invalid',
] as const;

/** The ticket of a file or picture. */
const ticketKeys = ['ticket_invalid', 'ticket_expired'] as const;

/** The platform's refusals of a post, and parts that a post lacks. */
const postKeys = [
  'short_link_dead',
  'short_link_elsewhere',
  'post_gone',
  'post_private',
  'post_friends_only',
  'account_private',
  'post_age_restricted',
  'post_login_required',
  'post_subscribers_only',
  'post_in_review',
  'post_saving_off',
  'post_region_blocked',
  'post_taken_down',
  'post_withheld',
  'post_unreadable',
  'option_missing',
  'sound_missing',
  'sound_unsupported',
  'media_too_large',
] as const;

/** Failures of the platform. */
const platformKeys = [
  'platform_blocked',
  'platform_changed',
  'platform_failed',
  'platform_throttled',
  'platform_timeout',
  'media_unavailable',
  'media_host_unknown',
  'media_invalid',
] as const;

/** Failures of conversions. */
const conversionKeys = [
  'queue_full',
  'conversion_failed',
  'conversion_parked',
  'conversion_timeout',
  'conversion_cancelled',
  'storage_full',
] as const;

/** Failures of cuts: the times are invalid, or this file cannot be cut. */
const cutKeys = ['cut_invalid', 'cut_unsupported'] as const;

/** A visitor's exhausted limits. */
const visitorKeys = ['rate_limited', 'downloads_limited'] as const;

/** Failures of articles and their pictures. */
const contentKeys = ['picture_missing'] as const;

/** Failures of this site. */
const siteKeys = ['overloaded', 'unavailable', 'stopping', 'internal'] as const;

/** All keys, grouped by subject. */
export const failureKeys = [
  ...linkKeys,
  ...requestKeys,
  ...ticketKeys,
  ...postKeys,
  ...platformKeys,
  ...conversionKeys,
  ...cutKeys,
  ...visitorKeys,
  ...contentKeys,
  ...siteKeys,
] as const;

/** Whether a platform failed, and not this site. */
export const isOfPlatform = (key: FailureKey): boolean =>
  key === 'post_unreadable' || platformKeys.some((one) => one === key);

/** Refusals by a limit of this site or by an instance that ends: they do not count as errors of the site. */
const ownRefusals: readonly string[] = [...visitorKeys, 'queue_full', 'overloaded', 'stopping'];

/** Whether a request failed at a limit of this site's own. */
export const isOwnRefusal = (key: FailureKey): boolean => ownRefusals.includes(key);

/** Stable name of a failure. */
export type FailureKey = (typeof failureKeys)[number];

/** Whether a text from elsewhere, perhaps from another version, is a known key. */
export const isFailureKey = (text: string): text is FailureKey => failureKeys.some((key) => key === text);

/** A second sentence beside a failure's own, for some of its cases; the catalogues have it as `hint.{key}`. */
export type HintKey = 'other_site' | 'short_link' | 'no_post' | 'no_link';

interface FailureDetails {
  /** The original error; for the log, never shown. */
  cause?: unknown;
  /** Seconds after which another try makes sense; becomes `Retry-After`. */
  retryAfterS?: number;
  hint?: HintKey;
  /** Public address of the post that failed. */
  link?: string;
  /** The link of a second post in the same text. */
  otherLink?: string;
  /** For the log and the operator, in English; never shown to visitors. */
  note?: string;
}

/** The one class of errors that are answered. The visitor's text is looked up by `key` at the edge. */
export class Failure extends Error {
  readonly key: FailureKey;
  readonly retryAfterS: number | undefined;
  readonly hint: HintKey | undefined;
  readonly link: string | undefined;
  readonly otherLink: string | undefined;

  constructor(key: FailureKey, details: FailureDetails = {}) {
    super(details.note === undefined ? key : `${key}: ${details.note}`, { cause: details.cause });
    this.name = 'Failure';
    this.key = key;
    this.retryAfterS = details.retryAfterS;
    this.hint = details.hint;
    this.link = details.link;
    this.otherLink = details.otherLink;
  }
}

/**
 * Converts any thrown value into a {@link Failure}: a `Failure` is returned unchanged, anything else becomes `fallback`
 * with the original as its cause.
 */
export function asFailure(thrown: unknown, fallback: FailureKey = 'internal'): Failure {
  return thrown instanceof Failure ? thrown : new Failure(fallback, { cause: thrown });
}

/** Failures of a single file of a post, which say nothing about the post's others. */
const ofOneFile: ReadonlySet<FailureKey> = new Set([
  'media_unavailable',
  'media_host_unknown',
  'media_invalid',
  'media_too_large',
  'platform_timeout',
  'option_missing',
  'sound_missing',
  'sound_unsupported',
]);

/** Whether the failure concerns the file only that was read, so that the post's others may work. */
export const isOfOneFile = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && ofOneFile.has(thrown.key);

const mostCauses = 6;
const mostCauseCharacters = 400;

/**
 * The details of a failure beyond its key, for an operator: its note, then what caused it, the nearest first, such as
 * `no answer; TypeError: fetch failed; Error: Proxy response (502)`. Empty when nothing is known.
 */
export function causesOf(failure: Failure): string {
  const found: string[] = [];
  let error: unknown = failure;
  for (let depth = 0; depth < mostCauses && error !== undefined && error !== null; depth += 1) {
    const text = describe(error);
    if (text !== '' && !found.includes(text)) found.push(text);
    error = error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : null;
  }
  return found.join('; ').slice(0, mostCauseCharacters);
}

function describe(error: unknown): string {
  if (error instanceof Failure)
    return error.message === error.key ? '' : error.message.slice(error.key.length + 2);
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message === '' ? `${error.name}${code === undefined ? '' : ` (${code})`}` : String(error);
}
