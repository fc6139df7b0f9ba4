/**
 * Everything that can go wrong, as typed values with a stable key. The key is public: API clients and the message
 * catalogues (`errors.{key}`) rely on it. Never rename one. Which HTTP status it is answered with is the server's
 * business.
 */

/**
 * What a visitor gave us. The English messages of `link_missing` and `link_invalid`, and that of the home page for
 * the first (`link.missing` of `tool`), begin with sentences that are fixed to the letter. The hint says what to do;
 * pages show it first.
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

/** A request that cannot be answered, whatever it asks for. */
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

/** What the platform says of a post, and what the post does not have. */
const postKeys = [
  'short_link_dead',
  'post_gone',
  'post_private',
  'post_friends_only',
  'account_private',
  'post_age_restricted',
  'post_login_required',
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

/** What the platform did to us. */
const platformKeys = [
  'platform_blocked',
  'platform_changed',
  'platform_failed',
  'platform_throttled',
  'platform_timeout',
  'media_unavailable',
  'media_invalid',
] as const;

/** Of making one file out of another. */
const conversionKeys = [
  'queue_full',
  'conversion_failed',
  'conversion_parked',
  'conversion_timeout',
  'conversion_cancelled',
  'storage_full',
] as const;

/** Of a part of a recording: there is none between the two times, or this file cannot be cut. */
const cutKeys = ['cut_invalid', 'cut_unsupported'] as const;

/** What one visitor has used up. */
const visitorKeys = ['rate_limited', 'downloads_limited'] as const;

/** Of articles and what belongs to them. */
const contentKeys = ['picture_missing'] as const;

/** Of this site itself. */
const siteKeys = ['overloaded', 'unavailable', 'stopping', 'internal'] as const;

/** Every key there is, by what it is about. */
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

/** Stable name of a failure. */
export type FailureKey = (typeof failureKeys)[number];

/** Whether a text that came from elsewhere, perhaps from another version, is a key that is known here. */
export const isFailureKey = (text: string): text is FailureKey => failureKeys.some((key) => key === text);

/** A second sentence beside a failure's own, for some of its cases; the catalogues have it as `hint.{key}`. */
export type HintKey = 'other_site' | 'no_post' | 'no_link';

interface FailureDetails {
  /** What led here; kept for the log, never shown. */
  cause?: unknown;
  /** Seconds after which another try makes sense; becomes `Retry-After`. */
  retryAfterS?: number;
  hint?: HintKey;
  /** Public address of the post that failed. */
  link?: string;
  /** That of another post that was named beside it. */
  otherLink?: string;
  /** For the log and the operator, in English; never shown to a visitor. */
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
 * Turns anything thrown into a {@link Failure}: a `Failure` stays itself, everything else becomes `fallback`
 * with the original as its cause.
 */
export function asFailure(thrown: unknown, fallback: FailureKey = 'internal'): Failure {
  return thrown instanceof Failure ? thrown : new Failure(fallback, { cause: thrown });
}
