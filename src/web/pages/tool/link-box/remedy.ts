/**
 * What a page offers below a message: `retry` the same link where time or another try may help, `another` link where
 * this one never leads to a file, the post `elsewhere` where the platform may show it to this visitor, or nothing.
 */
export type Remedy = 'retry' | 'another' | 'elsewhere' | 'none';

/** The platform's own application may show these to the visitor: as a friend, an adult, in another country. */
const seenElsewhere: ReadonlySet<string> = new Set([
  'post_private',
  'post_friends_only',
  'account_private',
  'post_age_restricted',
  'post_login_required',
  'post_in_review',
  'post_saving_off',
  'post_region_blocked',
]);

/** What no other try changes, and nothing else is to be offered for. */
const final: ReadonlySet<string> = new Set([
  'post_taken_down',
  'post_withheld',
  'sound_missing',
  'sound_unsupported',
  'option_missing',
  'media_too_large',
]);

/** Nothing is found there, or the link is none: the way on is another one. */
const wrongText: ReadonlySet<string> = new Set([
  'post_gone',
  'short_link_dead',
  'request_invalid',
  'request_too_large',
]);

/** Whether others have the same trouble now, which the status page tells. */
export const isSharedTrouble = (key: string): boolean =>
  key.startsWith('platform_') || key === 'media_unavailable' || key === 'unavailable';

/**
 * What helps after a failure.
 * @param key of `src/failures/failures.ts`, or `network` when no answer came; one that is not known here may wear off
 */
export function remedyFor(key: string): Remedy {
  if (key.startsWith('link_') || wrongText.has(key)) return 'another';
  if (seenElsewhere.has(key)) return 'elsewhere';
  return final.has(key) ? 'none' : 'retry';
}
