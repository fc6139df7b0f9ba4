import { asFailure, Failure } from '../../../../failures/failures.ts';
import { withTimeLimit } from '../../../async/time-limit.ts';
import { addressOfList, recogniseLink, recogniseList } from '../../../links/recognise.ts';
import { tiktokLinks } from '../../../links/tiktok.ts';
import type { TextResponse } from '../../../network/contracts.ts';
import type { PostReference, ShortLink } from '../../../post/post.ts';
import type { ReadingObserver } from '../../readings.ts';
import { nameOfRefusedHost } from '../hosts.ts';
import { askBest } from '../identities/ask-through.ts';
import type { Door } from '../identities/doors.ts';
import type { Jars } from '../identities/jars.ts';
import { checkStatus, knownGate } from '../responses/gates.ts';
import { requestThrough, type StrategyOptions } from './one-request.ts';

interface ShortLinkOptions extends Omit<StrategyOptions, 'now'> {
  readonly jars: Jars;
  readonly egress?: string | undefined;
  /** Told of codes that lead to an unknown host. */
  readonly shape?: ReadingObserver['shape'] | undefined;
}

const maxHops = 5;
const requestLimitMs = 3_000;
/** The platform redirects unknown codes to the home page or to its not-found pages. */
const deadEnd = /^\/(?:[a-z]{2}(?:-[a-z]{2,4})?\/)?(?:404|notfound)?\/?$/i;
/** The redirectors share one code space. */
const redirectors = ['https://vm.tiktok.com/', 'https://vt.tiktok.com/'];

/**
 * Requests a short link and reads its target from the redirect without following it: only {@link ./page.ts} requests
 * the page itself.
 * @throws Failure `short_link_dead`, the `link_…` failure of a target that is no post, `platform_…`
 */
export async function locateShortLink(
  link: ShortLink,
  signal: AbortSignal,
  options: ShortLinkOptions,
): Promise<PostReference> {
  let code = link.code;
  for (let hop = 0; hop < maxHops; hop++) {
    const target = await requestRedirectors(code, signal, options);
    if ('id' in target) return target;
    code = target.code;
  }
  throw new Failure('short_link_dead', { note: `more than ${maxHops} redirects` });
}

async function requestRedirectors(
  code: string,
  signal: AbortSignal,
  options: ShortLinkOptions,
): Promise<PostReference | ShortLink> {
  let failure: Failure | undefined;
  for (const redirector of redirectors) {
    try {
      return await withTimeLimit(requestLimitMs, signal, (inner) =>
        askBest(options, options.egress, (door) =>
          requestRedirect(`${redirector}${code}/`, door, inner, options),
        ),
      );
    } catch (thrown) {
      signal.throwIfAborted();
      const reason = asFailure(thrown);
      if (!reason.key.startsWith('platform_')) throw thrown;
      failure ??= reason;
    }
  }
  throw failure ?? new Failure('internal');
}

async function requestRedirect(
  url: string,
  door: Door,
  signal: AbortSignal,
  { network, jars, egress, strategy, shape }: ShortLinkOptions,
): Promise<PostReference | ShortLink> {
  const response = await requestThrough(network, door, 'navigation', {
    ...{ url, hosts: 'tiktok/short-link', jar: jars.of(egress, door.identity) },
    ...{ maxBytes: 1_000_000, egress, signal },
  });
  const target = targetOf(response);
  if (target !== null)
    return readTarget(target, (host) =>
      shape?.({ strategy, shape: { kind: 'host', name: nameOfRefusedHost(host) }, example: host }),
    );
  if (response.status === 404 || response.status === 410) throw new Failure('short_link_dead');
  checkStatus(response);
  const known = knownGate(response.body);
  if (known !== null) throw known;
  // The home page, or a page without any link: the code is unknown.
  throw new Failure('short_link_dead', { note: `HTTP ${response.status} without a target` });
}

/** The target of the redirect; null when there is none. */
function targetOf(response: TextResponse): string | null {
  const isRedirect = response.status >= 300 && response.status < 400;
  const stub =
    response.body.length < 20_000
      ? /<a href="([^"]{1,4000})"/.exec(response.body.toString())?.[1]
      : undefined;
  const target = (isRedirect ? response.headers.location : undefined) ?? stub?.replaceAll('&amp;', '&');
  return target === undefined ? null : (URL.parse(target, response.url)?.href ?? null);
}

/** @param onUnknownHost told of the host of an address that leads elsewhere @throws Failure */
function readTarget(target: string, onUnknownHost: (host: string) => void): PostReference | ShortLink {
  const url = new URL(target);
  const ours =
    url.protocol === 'https:' || url.protocol === 'http:'
      ? /^(?:[a-z0-9-]+\.){0,3}(?:tiktok\.com|tiktok[vw]\.(?:com|eu|us))$/.test(url.hostname)
      : false;
  // Codes of sister apps lead to other sites; so may those of a domain that is new.
  if (!ours && url.hostname !== '') onUnknownHost(url.hostname.slice(0, 100));
  if (!ours) throw new Failure('short_link_elsewhere', { note: `leads to ${url.host.slice(0, 100)}` });
  try {
    return recogniseLink(target, [tiktokLinks]);
  } catch (thrown) {
    const item = url.searchParams.get('share_item_id');
    if (item !== null) return recogniseLink(`https://www.tiktok.com/@/video/${item}`, [tiktokLinks]);
    if (deadEnd.test(url.pathname))
      throw new Failure('short_link_dead', { note: `leads to ${url.pathname}`, cause: thrown });
    if (url.pathname.startsWith('/login')) throw new Failure('post_login_required', { cause: thrown });
    const list = recogniseList(target, [tiktokLinks]);
    if (list === null) throw thrown;
    throw new Failure(asFailure(thrown).key, { cause: thrown, link: addressOfList(list, [tiktokLinks]) });
  }
}
