import { atGate, type Gate, Jars, openGate } from '../../../doubles/tiktok/pages/gate.ts';
import { shellPage } from '../../../doubles/tiktok/pages/refusals.ts';
import embed from '../../../src/downloader/extractors/tiktok/cases/embed.json' with { type: 'json' };
import player from '../../../src/downloader/extractors/tiktok/cases/player.json' with { type: 'json' };
import item from '../../../src/downloader/extractors/tiktok/cases/video-item.json' with { type: 'json' };
import type {
  PlatformNetwork,
  TextRequest,
  TextResponse,
} from '../../../src/downloader/network/contracts.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Period } from './schedule.ts';

/** A request to a post's page. */
export interface PageRequest {
  readonly post: string;
  readonly userAgent: string;
  readonly passed: boolean;
  /** Virtual ms. */
  readonly atMs: number;
}

/** The platform as one network sees it, with small pages. */
export interface YearPlatform {
  readonly network: PlatformNetwork;
  period: Period;
  /** The page requests since the start. */
  readonly pageRequests: PageRequest[];
}

const latencyMs = 150;
const places = { desktop: 'webapp.video-detail', phone: 'webapp.reflow.video.detail' } as const;

const captions = {
  subtitleInfos: [
    {
      ...{ LanguageCodeName: 'eng-US', Format: 'webvtt', Source: 'ASR', UrlExpire: 1_900_000_000 },
      Url: 'https://v16-webapp-prime.us.tiktok.com/video/tos/captions/?expire=1900000000',
    },
  ],
};

/** A page's data, or a JSON answer, about the post of a case, for another id. */
const about = (value: unknown, id: string) => JSON.stringify(value).replaceAll(item.id, id);
const script = (id: string, json: string) => `<script id="${id}" type="application/json">${json}</script>`;

function page(place: string, detail: unknown, id: string): string {
  const json = about({ __DEFAULT_SCOPE__: { [place]: detail } }, id).replaceAll('<', '\\u003C');
  return `<html>${script('__UNIVERSAL_DATA_FOR_REHYDRATION__', json)}</html>`;
}

const whole = { itemInfo: { itemStruct: { ...item, video: { ...item.video, ...captions } } }, statusCode: 0 };
const { bitrateInfo: _, ...withoutEncodings } = item.video;
const plain = {
  itemInfo: { itemStruct: { ...item, video: { ...withoutEncodings, ...captions } } },
  statusCode: 0,
};

type Reply = Pick<TextResponse, 'status' | 'headers'> & { readonly body: string | Buffer };
const ok = (body: string): Reply => ({ status: 200, headers: {}, body });
const forbidden: Reply = { status: 403, headers: {}, body: '' };

/** Answers every request after {@link latencyMs} of virtual time, as the period's gate decides. */
export function createYearPlatform(time: VirtualTime, first: Period): YearPlatform {
  const jars = new Jars();
  const pageRequests: PageRequest[] = [];
  let ttwids = 0;
  let passes = 0;

  function ask(request: TextRequest): Reply {
    const { pathname, hostname, searchParams } = new URL(request.url);
    const { period } = platform;
    if (pathname.startsWith('/player/')) {
      const id = searchParams.get('item_ids') ?? '';
      return period.player === 'shut' ? forbidden : ok(about(player, id));
    }
    if (pathname.startsWith('/embed/')) {
      if (period.embed === 'shut') return forbidden;
      const json = about(embed, pathname.split('/').at(-1) ?? '');
      return ok(`<html>${script('__FRONTITY_CONNECT_STATE__', json)}</html>`);
    }
    const id = /\d{15,}/.exec(pathname)?.[0];
    if (pathname === '/') return ok('<html></html>');
    if (id === undefined) return { status: 404, headers: {}, body: '' };
    const isPhone = hostname === 'm.tiktok.com';
    return pageOf(request, id, isPhone, { ...openGate, ...period.gate } as Gate);
  }

  function pageOf(request: TextRequest, id: string, isPhone: boolean, gate: Gate): Reply {
    const userAgent = request.headers?.['user-agent'] ?? '';
    const { period } = platform;
    const version = Number(/Chrome\/(\d+)/.exec(userAgent)?.[1]);
    const [from, to] = period.blockedChrome ?? [Number.NaN, Number.NaN];
    if (version >= from && version <= to) return count(id, userAgent, ok('Site Maintenance'), false);
    const refusal = atGate({
      gate,
      headers: request.headers ?? {},
      userAgent,
      httpVersion: request.http ?? '1.1',
      address: request.url,
      ttwid: ttwidOf(request),
      jars,
      countPass: () => passes++,
    });
    const place = isPhone ? places.phone : places.desktop;
    if (refusal === 'shell')
      return count(id, userAgent, { status: 200, headers: {}, body: shellPage().body }, false);
    if (refusal === 'stub' || (isPhone && gate.reflow === 'no-item' && refusal === null))
      return count(id, userAgent, ok(page(place, { shareMeta: {} }, id)), false);
    if (refusal !== null) return count(id, userAgent, refusal as unknown as Reply, false);
    return count(
      id,
      userAgent,
      ok(page(place, isPhone && gate.reflow === 'plain' ? plain : whole, id)),
      true,
    );
  }

  function count(post: string, userAgent: string, reply: Reply, passed: boolean): Reply {
    pageRequests.push({ post, userAgent, passed, atMs: time.now() });
    return reply;
  }

  const platform: YearPlatform = {
    period: first,
    pageRequests,
    network: {
      async fetchText(request) {
        await time.pause(latencyMs, request.signal);
        const { status, headers, body } = ask(request);
        const setCookies: string[] = [];
        const isHome = new URL(request.url).pathname === '/';
        if (request.jar !== undefined && ttwidOf(request) === undefined) {
          ttwids += 1;
          jars.handOut(`${ttwids}`, isHome ? 'home' : 'page', 'site');
          setCookies.push(`ttwid=${ttwids}; Domain=.tiktok.com; Path=/`);
          request.jar.store(request.url, setCookies);
        }
        const http = request.http ?? '1.1';
        return { status, headers, setCookies, http, url: request.url, body: Buffer.from(body) };
      },
      openMedia: () => Promise.reject(new Error('no media is asked for')),
      close: async () => {},
    },
  };
  return platform;
}

const ttwidOf = ({ jar, url }: TextRequest) => /ttwid=(\d+)/.exec(jar?.headerFor(url) ?? '')?.[1];
