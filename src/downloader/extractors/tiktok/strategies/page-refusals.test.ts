import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Failure, type FailureKey } from '../../../../failures/failures.ts';
import type { PostReference } from '../../../post/post.ts';
import { UncertainRefusal } from '../../extractor.ts';
import photoItem from '../cases/photo-item.json' with { type: 'json' };
import videoItem from '../cases/video-item.json' with { type: 'json' };
import { desktops, failureOf, identities, phones, strategy } from '../testing/page-fixture.ts';
import {
  challengePage,
  detailPage,
  faultOf,
  itemPage,
  page,
  photoReference,
  videoReference,
} from '../testing/platform-fake.ts';

test.each([
  { itemInfo: { itemStruct: videoItem }, statusCode: 0 },
  { videoDetail: { itemInfo: { itemStruct: videoItem }, statusCode: '0' } },
  { itemStruct: videoItem },
])('the mobile page has the item in one of three places', async (detail) => {
  const post = await strategy({ body: page({ 'webapp.reflow.video.detail': detail }) }, phones).read();
  expect(post.readBy).toBe('page');
  const body = `<html><script id="api-data" type="application/json">${JSON.stringify(detail)}</script></html>`;
  expect((await strategy({ body }, phones).read()).id).toBe(videoReference.id);
});

test.each<[message: string, key: FailureKey]>([
  ['status_self_see', 'post_private'],
  ['item_privacy_authorization&status_friend_see', 'post_friends_only'],
  ['person_geo_fencing', 'post_region_blocked'],
  ['content_classification', 'post_age_restricted'],
  ['', 'post_gone'],
])('the mobile page has its own name for %j', async (statusMessage, key) => {
  const refused = { statusCode: 10204, statusMessage, extra_info: { unknown: [1] } };
  const scope = { body: page({ 'webapp.reflow.video.detail': refused }) };
  expect((await failureOf(strategy(scope, phones).read())).key).toBe(key);
  const data = JSON.stringify({ videoDetail: refused, commentList: { comments: [] } });
  const script = { body: `<html><script id="api-data" type="application/json">${data}</script></html>` };
  expect((await failureOf(strategy(script, phones).read())).key).toBe(key);
});

describe('refusals', () => {
  const table: [code: number | string, message: string, key: FailureKey, uncertain: boolean][] = [
    [10204, "item doesn't exist", 'post_gone', true],
    [100004, '', 'post_login_required', true],
    [10235, 'vip_only', 'post_subscribers_only', false],
    [10235, '', 'post_subscribers_only', false],
    [10999, 'item_region_limit', 'post_region_blocked', true],
    [10999, 'content_age_gate', 'post_age_restricted', true],
    [10999, 'need_login', 'post_login_required', true],
    [10204, '', 'post_gone', true],
    ['10204', 'item_privacy_authorization&status_deleted', 'post_gone', false],
    [10204, 'item_privacy_authorization&status_self_see', 'post_private', false],
    [10204, 'status_self_see', 'post_private', false],
    [10204, 'status_friend_see', 'post_friends_only', false],
    [10204, 'person_geo_fencing', 'post_region_blocked', true],
    [10204, 'item_privacy_authorization&cross_border_violation_ur', 'post_region_blocked', true],
    [10204, 'copyright_geo_filter', 'post_region_blocked', true],
    [10204, 'status_reviewing', 'post_in_review', false],
    [10204, 'status_audit_not_pass', 'post_taken_down', false],
    [10204, 'content_classification', 'post_age_restricted', true],
    [10215, '', 'post_taken_down', false],
    [10216, '', 'post_private', false],
    [10217, '', 'post_in_review', false],
    [10220, '', 'post_taken_down', false],
    [10221, 'user banned', 'post_gone', false],
    [10202, '', 'post_gone', false],
    [10222, '', 'account_private', false],
    [10227, '', 'post_in_review', false],
    [10228, '', 'post_taken_down', false],
    [10231, 'cross_border_violation', 'post_region_blocked', true],
    [10213, '', 'post_age_restricted', true],
    [10214, '', 'post_age_restricted', true],
    [10223, '', 'post_age_restricted', true],
    [100002, '', 'link_invalid', false],
    [10101, 'SysErrPanic', 'platform_failed', false],
    [10000, '', 'platform_blocked', false],
    [10102, '', 'post_login_required', true],
    [4711, 'constructor', 'post_unreadable', false],
  ];
  test.each(table)('status %s %s is %s', async (statusCode, statusMsg, key, uncertain) => {
    const failure = await failureOf(
      strategy({ body: detailPage({ itemInfo: {}, statusCode, statusMsg }) }).read(),
    );
    expect([failure.key, failure instanceof UncertainRefusal]).toEqual([key, uncertain]);
  });

  const empty = { ...videoItem, video: { duration: 0 } };
  test.each<[string, object, FailureKey]>([
    ['an age gate', { ...empty, isContentClassified: true, author: undefined }, 'post_age_restricted'],
    ['a take-down', { ...empty, takeDown: 1 }, 'post_taken_down'],
    ['a review', { ...empty, isReviewing: true }, 'post_in_review'],
    ['a private post', { ...videoItem, privateItem: true }, 'post_private'],
    ['a post for friends', { ...videoItem, forFriend: true }, 'post_friends_only'],
    ['another post', { ...videoItem, id: '7309999999999999999' }, 'post_unreadable'],
    ['an id that lost its digits', { ...videoItem, id: 7301234567890123 }, 'post_unreadable'],
    ['no media', empty, 'post_unreadable'],
  ])('%s in the item', async (_, item, key) => {
    expect((await failureOf(strategy({ body: itemPage(item) }).read())).key).toBe(key);
  });

  it('serves a classified post whose media are present', async () => {
    expect(
      (await strategy({ body: itemPage({ ...videoItem, isContentClassified: true }) }).read()).kind,
    ).toBe('video');
  });
});

describe('gates', () => {
  const good = itemPage(videoItem);
  test.each<[string, object, FailureKey]>([
    ['a challenge', { body: challengePage }, 'platform_blocked'],
    ['maintenance', { body: '<title>Site Maintenance</title>' }, 'platform_blocked'],
    ['a decoy', { body: `<html>${'x'.repeat(7_000)}</html>` }, 'platform_blocked'],
    ['a captcha', { body: '<div id="captcha-verify-container">' }, 'platform_blocked'],
    ['an empty answer', { body: '' }, 'platform_blocked'],
    ['the home shell', { body: page({}) }, 'platform_blocked'],
    ['403', { status: 403, body: 'x' }, 'platform_blocked'],
    ['429', { status: 429 }, 'platform_throttled'],
    ['overload', { body: 'overload-protect triggered' }, 'platform_throttled'],
    ['451', { status: 451 }, 'post_region_blocked'],
    ['503', { status: 503 }, 'platform_failed'],
    ['a log-in redirect', { url: 'https://www.tiktok.com/login?redirect_url=x' }, 'post_login_required'],
    ['half a page', { body: good.slice(0, good.length / 2) }, 'platform_failed'],
    ['99 % of a page', { body: good.slice(0, good.length * 0.99) }, 'platform_failed'],
    [
      'a renamed scope',
      { body: good.replace('webapp.video-detail', 'webapp.post-detail') },
      'platform_blocked',
    ],
    ['a renamed script', { body: good.replaceAll('__UNIVERSAL_DATA', '__OTHER_DATA') }, 'post_unreadable'],
    [
      'the site without posts',
      {
        body: `<html><script id="api-domains">{}</script><script src="https://lf16-cdn.example/webapp-static-site/main.js"></script>${'x'.repeat(90_000)}</html>`,
      },
      'platform_blocked',
    ],
    [
      'the site without posts, by its scripts',
      {
        body: `<html><script id="pumbaa-rule">{}</script><script id="gfdatav1">{}</script>${'x'.repeat(200_000)}</html>`,
      },
      'platform_blocked',
    ],
    ['a full page of an unknown kind', { body: `<html>${'x'.repeat(90_000)}</html>` }, 'post_unreadable'],
    ['broken JSON', { body: good.replace('"itemInfo":', '"itemInfo"') }, 'post_unreadable'],
  ])('%s', async (_, reply, key) => {
    expect((await failureOf(strategy(reply).read())).key).toBe(key);
  });

  it('tries once more as another identity and remembers the one that was refused', async () => {
    const { read, requests } = strategy([{ status: 403 }, { body: good }]);
    await read();
    await read();
    const [first, second] = desktops.map(({ userAgent }) => userAgent);
    expect(requests.map((request) => request.headers?.['user-agent'])).toEqual([first, second, second]);
    const blocked = strategy({ body: challengePage }, identities);
    await failureOf(blocked.read());
    expect(blocked.requests).toHaveLength(3);
  });

  it('passes on a network failure without a second attempt', async () => {
    const { read, requests } = strategy(new Failure('platform_timeout'));
    expect((await failureOf(read())).key).toBe('platform_timeout');
    expect(requests).toHaveLength(1);
  });
});

describe('changed shapes', () => {
  type Path = (string | number)[];
  function pathsOf(value: unknown, path: Path = []): Path[] {
    if (typeof value !== 'object' || value === null) return [path];
    return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
  }
  function changed(value: unknown, path: Path, replacement: unknown): unknown {
    const [key, ...rest] = path;
    if (key === undefined) return replacement;
    const copy = structuredClone(value) as Record<string | number, unknown>;
    copy[key] = changed(copy[key], rest, replacement);
    return copy;
  }
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      undefined,
      'https://evil.example/x.mp4',
      'http://v16m.tiktokcdn-us.com/x',
      'https://user@v16m.tiktokcdn-us.com/x',
      'https://v16m.tiktokcdn-us.com:8443/x',
      'https://127.0.0.1/x',
      'javascript:alert(1)',
      '//v16m.tiktokcdn-us.com/x',
      'https://v16m.tiktokcdn-us.com/\r\nx: y',
      '\ud800',
      '../..',
      -1,
      1e300,
      '9'.repeat(400),
      3,
    ),
  );
  test.each<[string, unknown, PostReference]>([
    ['video', videoItem, videoReference],
    ['photo', photoItem, photoReference],
  ])('any change of a %s page returns a valid post or a failure', async (_, item, reference) => {
    const detail = { itemInfo: { itemStruct: item }, statusCode: 0, statusMsg: '' };
    const change = fc.tuple(fc.constantFrom(...pathsOf(detail)), odd);
    // The filler does not matter here and would take most of the time.
    const small = (value: unknown) =>
      `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.video-detail': value } })}</script>`;
    let posts = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let value: unknown = detail;
        for (const [path, replacement] of changes) {
          try {
            value = changed(value, path, replacement);
          } catch (thrown) {
            // An earlier change removed the place.
            if (!(thrown instanceof TypeError)) throw thrown;
          }
        }
        try {
          const post = await strategy({ body: small(value) }).read(reference);
          posts++;
          expect(faultOf(post)).toBeNull();
        } catch (thrown) {
          if (!(thrown instanceof Failure)) throw thrown;
        }
      }),
      { numRuns: 600 },
    );
    expect(posts).toBeGreaterThan(100);
  });
});
