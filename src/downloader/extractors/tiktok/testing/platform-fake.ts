/** Test support: a network that responds from a table, and pages in the platform's form. */
import type { PlatformNetwork, TextRequest, TextResponse } from '../../../network/contracts.ts';
import type { Post, PostReference } from '../../../post/post.ts';
import { mediaAddress } from '../post/media-addresses.ts';

export const videoReference: PostReference = { platform: 'tiktok', id: '7301234567890123456' };
export const photoReference: PostReference = { platform: 'tiktok', id: '7301234567890123457' };
/** A time before every expiry in the cases. */
export const now = 1_790_000_000_000;
export const never = new AbortController().signal;

/** The platform's response, with its body as text. */
type Answer = Partial<Omit<TextResponse, 'body'>> & { readonly body?: string };
type Reply = Answer | Error;
type Route = Reply | Reply[] | ((request: TextRequest) => Reply | Promise<Reply>);

/** Answers by the start of the address; the entries of a list are used one by one, and the last one stays. */
export function fakeNetwork(routes: Readonly<Record<string, Route>>) {
  const requests: TextRequest[] = [];
  const used = new Map<string, number>();
  const network: PlatformNetwork = {
    async fetchText(request) {
      requests.push(request);
      const prefix = Object.keys(routes).find((start) => request.url.startsWith(start));
      if (prefix === undefined) return response({ status: 404, url: request.url });
      const route = routes[prefix] as Route;
      const turn = used.get(prefix) ?? 0;
      used.set(prefix, turn + 1);
      const reply =
        typeof route === 'function'
          ? await route(request)
          : Array.isArray(route)
            ? (route[Math.min(turn, route.length - 1)] as Reply)
            : route;
      if (reply instanceof Error) throw reply;
      if (reply.setCookies) request.jar?.store(request.url, reply.setCookies);
      return response({ url: request.url, ...reply });
    },
    openMedia: () => Promise.reject(new Error('no media here')),
    close: () => Promise.resolve(),
  };
  return { network, requests };
}

function response({ body = '', ...parts }: Answer): TextResponse {
  return {
    status: 200,
    http: '1.1',
    headers: {},
    setCookies: [],
    body: Buffer.from(body),
    url: '',
    ...parts,
  };
}

export const pageUrl = 'https://www.tiktok.com/@i/video/';
export const phoneUrl = 'https://m.tiktok.com/v/';
export const playerUrl = 'https://www.tiktok.com/player/api/v1/items';
export const embedUrl = 'https://www.tiktok.com/embed/v2/';
export const oembedUrl = 'https://www.tiktok.com/oembed';

/** JSON as the platform writes it into a page. */
function pageJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('/', '\\u002F').replaceAll('<', '\\u003C');
}

const translations = Object.fromEntries(
  Array.from({ length: 2_500 }, (_, index) => [
    `some_text_key_${index}`,
    `A "translated" text {${index}} that nobody reads, with \\ and [brackets]`,
  ]),
);

export function page(scopes: Record<string, unknown>): string {
  const json = pageJson({
    __DEFAULT_SCOPE__: {
      'webapp.app-context': { language: 'en' },
      'webapp.i18n-translation': translations,
      ...scopes,
    },
  });
  return (
    '<!DOCTYPE html><html><head><script id="slardar-config">{"slardarClient":"SlardarClient"}</script>' +
    `<script src="captcha-verify-container.js">/* __UNIVERSAL_DATA_FOR_REHYDRATION__ */</script></head><body>` +
    `<script type="application/json" id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${json}</script></body></html>`
  );
}

export function detailPage(detail: unknown): string {
  return page({ 'webapp.video-detail': detail, 'webapp.a-b': { versionName: '1' } });
}

export function itemPage(item: unknown): string {
  return detailPage({
    itemInfo: { itemStruct: item },
    shareMeta: { title: 'x', desc: 'y' },
    statusCode: 0,
    statusMsg: '',
  });
}

export function embedPage(state: unknown): string {
  return `<html><script>window.__FRONTITY_CONNECT_STATE__ = 1</script><script id="__FRONTITY_CONNECT_STATE__" type="application/json">${pageJson(state)}</script></html>`;
}

export const challengePage =
  '<html><body>Please wait...<script id="slardar-config">{"slardarClient":"SlardarWAF","bid":"slardar_us_waf"}</script>' +
  '<p id="wci" class="_wafchallengeid"></p><p id="cs" class="AAAA"></p></body></html>';

/** The invariants of every post, whatever the platform sent. Returns the violation, null when there is none. */
export function faultOf(post: Post): string | null {
  const sources = [
    ...post.videos.map((video) => video.source),
    ...post.separateSounds.map((sound) => sound.source),
    ...post.pictures.flatMap(({ source, motion }) => [source ?? [], motion ?? []].flat()),
    ...(post.cover === null ? [] : [post.cover]),
    ...(post.sound === null ? [] : [post.sound.source]),
  ];
  if (sources.length === (post.cover === null ? 0 : 1)) return 'nothing to offer';
  if (
    (post.kind === 'video' && post.pictures.length > 0) ||
    (post.kind === 'video') !== post.videos.length > 0
  ) {
    return 'kind and media disagree';
  }
  for (const source of sources) {
    if (source.urls.length === 0) return 'a source without addresses';
    const wrong = source.urls.find((url) => mediaAddress(url) === null || url.includes('watermarked'));
    if (wrong !== undefined) return `address ${wrong}`;
    if (!Number.isFinite(source.expiresAt)) return 'expiry';
    if (Object.values(source.headers).some((value) => typeof value !== 'string' || /[\r\n]/.test(value)))
      return 'headers';
  }
  const sizes = [...post.videos, ...post.pictures].flatMap(({ width, height }) => [width, height]);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 0)) return 'size';
  const counts = [...post.videos, ...post.separateSounds].flatMap(({ bytes, bitrate }) => [bytes, bitrate]);
  if (!counts.every((count) => count === null || (Number.isSafeInteger(count) && count > 0)))
    return 'bytes or bitrate';
  if (post.videos.some(({ quality }) => quality !== null && !(quality >= 0 && quality <= 100)))
    return 'quality';
  if (!Number.isFinite(post.durationS) || post.durationS < 0) return 'duration';
  if (!/^[A-Za-z0-9_.-]*$/.test(post.author.handle)) return 'handle';
  if (!post.title.isWellFormed() || !post.author.name.isWellFormed()) return 'half a character';
  if (post.createdAt !== null && !Number.isSafeInteger(post.createdAt)) return 'createdAt';
  return null;
}
