import { Failure, type FailureKey } from '../../../../failures/failures.ts';
import { UncertainRefusal } from '../../extractor.ts';
import { UnreadableResponse } from '../../unreadable.ts';

interface Reason {
  readonly key: FailureKey;
  /** True when the platform says the same for other reasons, or answers some of its callers differently. */
  readonly uncertain?: true;
}

/** `statusMsg` is a list of these joined by `&`; the first known one counts, before the code. */
const byMessage: Readonly<Record<string, Reason>> = {
  status_deleted: { key: 'post_gone' },
  status_self_see: { key: 'post_private' },
  status_friend_see: { key: 'post_friends_only' },
  status_reviewing: { key: 'post_in_review' },
  status_audit_not_pass: { key: 'post_taken_down' },
  content_classification: { key: 'post_age_restricted', uncertain: true },
  person_geo_fencing: { key: 'post_region_blocked', uncertain: true },
  copyright_geo_filter: { key: 'post_region_blocked', uncertain: true },
  cross_border_violation: { key: 'post_region_blocked', uncertain: true },
  cross_border_violation_ur: { key: 'post_region_blocked', uncertain: true },
  'user banned': { key: 'post_gone' },
  vip_only: { key: 'post_subscribers_only' },
};

/** Words of messages that are not in the list: what they are about is told by the words of the platform's other ones. */
const byWord: readonly (readonly [RegExp, Reason])[] = [
  [/(?:^|_)(?:vip|subscri\w*|paid|premium)(?:_|$)/, { key: 'post_subscribers_only', uncertain: true }],
  [/(?:^|_)(?:geo|region|country|cross_border)(?:_|$)/, { key: 'post_region_blocked', uncertain: true }],
  [/(?:^|_)(?:age|minor|teen|adult|mature|u1[368])(?:_|$)/, { key: 'post_age_restricted', uncertain: true }],
  [
    /(?:^|_)(?:log_?in|login\w*|sign_?in|need_session)(?:_|$)/,
    { key: 'post_login_required', uncertain: true },
  ],
  [/(?:^|_)(?:friends?|followers?)(?:_|$)/, { key: 'post_friends_only', uncertain: true }],
  [/(?:^|_)(?:private|privacy|self|secret)(?:_|$)/, { key: 'post_private', uncertain: true }],
  [/(?:^|_)(?:review\w*|audit\w*)(?:_|$)/, { key: 'post_in_review', uncertain: true }],
  [/(?:^|_)(?:deleted?|removed?|not_exist|not_found)(?:_|$)/, { key: 'post_gone', uncertain: true }],
];

/** `statusCode` of the pages and the small APIs, which always answer HTTP 200. */
const byCode: Readonly<Record<number, Reason>> = {
  10000: { key: 'platform_blocked' },
  10101: { key: 'platform_failed' },
  10102: { key: 'post_login_required', uncertain: true },
  10113: { key: 'platform_blocked' },
  10114: { key: 'platform_blocked' },
  10202: { key: 'post_gone' },
  // Deleted, never existed, not public or withheld in a region: without a message it may be any of them.
  10204: { key: 'post_gone', uncertain: true },
  10213: { key: 'post_age_restricted', uncertain: true },
  10214: { key: 'post_age_restricted', uncertain: true },
  10215: { key: 'post_taken_down' },
  10216: { key: 'post_private' },
  10217: { key: 'post_in_review' },
  10220: { key: 'post_taken_down' },
  10221: { key: 'post_gone' },
  10222: { key: 'account_private' },
  10223: { key: 'post_age_restricted', uncertain: true },
  10227: { key: 'post_in_review' },
  10228: { key: 'post_taken_down' },
  10229: { key: 'post_taken_down' },
  10230: { key: 'post_taken_down' },
  10231: { key: 'post_region_blocked', uncertain: true },
  10235: { key: 'post_subscribers_only' },
  100002: { key: 'link_invalid' },
  // Met without a message, for posts that the application shows to those who are logged in.
  100004: { key: 'post_login_required', uncertain: true },
};

/** The failure behind a status that is not 0. */
export function refusalOf(code: number, message: string): Failure {
  const tokens = message
    .slice(0, 1_000)
    .split('&')
    .map((token) => token.trim());
  const known = tokens.find((token) => Object.hasOwn(byMessage, token));
  const reason = known === undefined ? (byCode[code] ?? reasonInWords(tokens)) : byMessage[known];
  const note = `status ${code} ${message.slice(0, 200)}`.trimEnd();
  return reason === undefined ? new UnreadableResponse('status', { note }) : failureFor(reason, note);
}

/** The reason that an unknown message states for an unknown code. */
function reasonInWords(tokens: readonly string[]): Reason | undefined {
  const words = tokens.map((token) => token.toLowerCase().replace(/[^a-z0-9]+/g, '_'));
  return byWord.find(([pattern]) => words.some((one) => pattern.test(one)))?.[1];
}

function failureFor(reason: Reason, note: string): Failure {
  return reason.uncertain ? new UncertainRefusal(reason.key, { note }) : new Failure(reason.key, { note });
}
