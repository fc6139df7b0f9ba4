/**
 * Everything that can go wrong between a pasted text and a file, as typed values with a stable key.
 * The key is public: API clients and the message catalogues (`errors.{key}`) rely on it. Never rename one.
 */

/** Each key with the HTTP status it is answered with. */
export const failureStatuses = {
  // What the visitor gave us. The English sentences of `link_missing` and `link_invalid`, and that of the home page for
  // the first (`link.missing` of `tool`), are fixed to the letter; what helps further is said in a second one, the hint.
  link_missing: 400,
  link_invalid: 422,
  link_profile: 422,
  link_live: 422,
  link_sound: 422,
  link_hashtag: 422,
  link_effect: 422,
  link_collection: 422,
  link_search: 422,
  link_shop: 422,
  link_stories: 422,
  link_profile_list: 422,
  link_place: 422,
  link_login: 422,
  link_lite: 422,
  link_douyin: 422,
  link_handle: 400,
  request_invalid: 400,
  request_too_large: 413,
  address_unknown: 404,
  method_not_allowed: 405,
  media_type_unsupported: 415,
  headers_too_large: 431,
  request_timeout: 408,
  ticket_invalid: 404,
  ticket_expired: 410,
  range_unsatisfiable: 416,

  // What the platform says about the post
  short_link_dead: 404,
  post_gone: 404,
  post_private: 403,
  post_friends_only: 403,
  account_private: 403,
  post_age_restricted: 403,
  post_login_required: 403,
  post_in_review: 403,
  post_saving_off: 403,
  post_region_blocked: 451,
  post_taken_down: 451,
  post_withheld: 451,

  // What the post does not have
  option_missing: 404,
  sound_missing: 422,
  sound_unsupported: 422,
  media_too_large: 422,

  // What the platform did to us
  platform_blocked: 502,
  platform_changed: 502,
  platform_failed: 502,
  platform_throttled: 503,
  platform_timeout: 504,
  media_unavailable: 502,
  media_invalid: 502,

  // What we did
  rate_limited: 429,
  downloads_limited: 429,
  overloaded: 503,
  unavailable: 503,
  queue_full: 503,
  conversion_failed: 500,
  conversion_timeout: 504,
  conversion_cancelled: 409,
  storage_full: 503,
  stopping: 503,
  internal: 500,
} as const;

/** Stable name of a failure. */
export type FailureKey = keyof typeof failureStatuses;

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

/** The one error class of the downloader. The visitor's text is looked up by `key` at the edge. */
export class Failure extends Error {
  readonly key: FailureKey;
  readonly status: number;
  readonly retryAfterS: number | undefined;
  readonly hint: HintKey | undefined;
  readonly link: string | undefined;
  readonly otherLink: string | undefined;

  constructor(key: FailureKey, details: FailureDetails = {}) {
    super(details.note === undefined ? key : `${key}: ${details.note}`, { cause: details.cause });
    this.name = 'Failure';
    this.key = key;
    this.status = failureStatuses[key];
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
