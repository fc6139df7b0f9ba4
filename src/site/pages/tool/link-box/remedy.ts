/**
 * A page's remedy below a message: `retry` the same link when time may help, `another` link when this one never leads
 * to a file, the post `elsewhere` when the platform may show it to this visitor, or none.
 */
export type Remedy = 'retry' | 'another' | 'elsewhere' | 'none';

/** The platform's own application may show these to the visitor: as a friend, an adult, in another country. */
const seenElsewhere: ReadonlySet<string> = new Set([
  'post_private',
  'post_friends_only',
  'account_private',
  'post_age_restricted',
  'post_login_required',
  'post_subscribers_only',
  'post_in_review',
  'post_saving_off',
  'post_region_blocked',
  'media_host_unknown',
]);

/** Failures that no retry changes and that have no other remedy. */
const final: ReadonlySet<string> = new Set([
  'post_taken_down',
  'post_withheld',
  'sound_missing',
  'sound_unsupported',
  'option_missing',
  'media_too_large',
]);

/** Nothing was found, or the link is invalid: another link is the remedy. */
const wrongText: ReadonlySet<string> = new Set([
  'post_gone',
  'short_link_dead',
  'short_link_elsewhere',
  'request_invalid',
  'request_too_large',
]);

/** Whether others are affected too, which the status page shows. */
export const isSharedTrouble = (key: string): boolean =>
  key.startsWith('platform_') || key === 'media_unavailable' || key === 'unavailable';

/**
 * The remedy for a failure.
 * @param key of `src/failures/failures.ts`, or `network` without a response; an unknown key counts as temporary
 */
export function remedyFor(key: string): Remedy {
  if (key.startsWith('link_') || wrongText.has(key)) return 'another';
  if (seenElsewhere.has(key)) return 'elsewhere';
  return final.has(key) ? 'none' : 'retry';
}
