import type { CookieStore, PlatformNetwork, TextRequest, TextResponse } from '../../../network/contracts.ts';
import { releaseBody } from '../../../network/memory.ts';
import type { Post, PostReference } from '../../../post/post.ts';
import type { ReadingObserver } from '../../readings.ts';
import type { Door } from '../identities/doors.ts';
import { readDetail } from '../post/item.ts';
import { checkStatus } from '../responses/gates.ts';
import { findDetail } from '../responses/page-data.ts';
import { requestThrough } from './one-request.ts';

/** Pages have 300 to 412 kB. */
const maxPageBytes = 2_000_000;
/** Cookies for a media address are those that its host would get. */
const mediaHost = 'https://v16-webapp-prime.tiktok.com/';
export const homeUrl = 'https://www.tiktok.com/';

export interface PageReading {
  /** The strategy's name behind its platform's: `tiktok/page`. */
  readonly strategy: string;
  readonly network: Pick<PlatformNetwork, 'fetchText'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** Told of answers in a form that is new. */
  readonly shape?: ReadingObserver['shape'] | undefined;
  /** Told of the addresses of all of a post's video files. */
  readonly onFiles?: ((id: string, urls: readonly string[]) => void) | undefined;
}

/** Opens a page of the platform through a door, as a navigation. */
export const requestPage = (
  { network }: Pick<PageReading, 'network'>,
  door: Door,
  jar: CookieStore,
  request: Pick<TextRequest, 'url' | 'egress' | 'signal'>,
): Promise<TextResponse> =>
  requestThrough(network, door, 'navigation', { ...request, jar, maxBytes: maxPageBytes, maxRedirects: 3 });

/** Reads a post's page through a door, once. @throws Failure */
export async function readPage(
  options: PageReading,
  door: Door,
  jar: CookieStore,
  reference: PostReference,
  signal: AbortSignal,
): Promise<Post> {
  const { strategy, now, shape, onFiles } = options;
  const { identity } = door;
  const { id, egress } = reference;
  // Media servers require the cookies of the response that named the addresses, not those of a later one that comes
  // while this one's body does.
  let cookie: string | null = null;
  const ownJar: CookieStore = {
    headerFor: (url) => jar.headerFor(url),
    store(url, setCookies) {
      jar.store(url, setCookies);
      cookie = jar.headerFor(mediaHost);
    },
  };
  const response = await requestPage(options, door, ownJar, { url: identity.pageOf(id), egress, signal });
  checkStatus(response);
  const detail = findDetail(response.body, identity.places);
  releaseBody(response.body);
  return readDetail(detail, {
    reference,
    session: { userAgent: identity.userAgent, cookie },
    nowMs: now(),
    readBy: 'page',
    onShape: shape && ((found) => shape({ strategy, shape: found, example: id })),
    onFiles: onFiles && ((urls) => onFiles(id, urls)),
  });
}
