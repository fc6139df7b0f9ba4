import { type Minting, pathSignedUrl, primeUrl } from '../media/signing.ts';
import { postNamed, postWithId } from '../scenarios/posts.ts';
import type { PageBehaviour, PostScenario } from '../scenarios/scenario.ts';
import { shortLinkAnswer } from '../scenarios/short-links.ts';
import type { Settings } from '../settings.ts';
import type { RequestKind } from '../statistics.ts';
import type { Answer } from '../transport/answer.ts';
import { agentKind, atGate, type GateQuestion } from './gate.ts';
import { listAnswer } from './lists.ts';
import { type PageVariant, postPage, renderPage } from './post-page.ts';
import {
  captchaJson,
  captchaPage,
  challengePage,
  decoyPage,
  gzipBomb,
  json,
  loginRedirect,
  maintenancePage,
  redirect,
  shellPage,
  staticSitePage,
  text,
} from './refusals.ts';
import { embedPage, oembed, playerItems } from './small-apis.ts';
import type { Template } from './template.ts';

/** A request to the platform's pages, as they see it. */
export interface SiteQuestion {
  readonly url: URL;
  readonly userAgent: string;
  readonly gzip: boolean;
  readonly hasCookies: boolean;
  readonly settings: Settings;
  /** The treatment of this client; null when it is welcome. */
  readonly mood: 'challenge' | 'throttle' | null;
  /** The rest of the request, as the gate in front of the pages sees it. */
  readonly gate: GateQuestion;
  readonly client: string;
  /** Fresh values for this answer. */
  readonly mint: (id: string) => Minting;
  /** Counts a read of a post's page and returns its number. */
  readonly countRead: (scenario: PostScenario) => number;
}

export interface SiteAnswer {
  readonly kind: RequestKind;
  readonly scenario?: PostScenario | undefined;
  readonly answer: Answer | Promise<Answer>;
}

/** Whose pictures lists show. */
const readablePost = postNamed('ordinary');

const POST_PATH = /^\/(?:@[^/]*\/(?:video|photo)|share\/video|v)\/([^/.]+)(?:\.html)?\/?$/;

/** The responses of www.tiktok.com. */
export function siteAnswer(question: SiteQuestion): SiteAnswer {
  const { pathname, searchParams } = question.url;
  if (question.mood !== null && pathname !== '/') return unwelcome(question.mood, pathname);
  const code = /^\/t\/([^/]+)\/*$/.exec(pathname)?.[1];
  if (code !== undefined) return shortLink(code, question.userAgent);
  const id = POST_PATH.exec(pathname)?.[1];
  if (id !== undefined) {
    const scenario = known(id);
    return { kind: 'page', scenario, answer: postAnswer(question, id, scenario, /\/photo\//.test(pathname)) };
  }
  if (pathname === '/player/api/v1/items') return player(question, searchParams.get('item_ids') ?? '');
  const embedId = /^\/embed\/(?:v2\/)?(\d+)\/?$/.exec(pathname)?.[1];
  if (embedId !== undefined) return embed(question, embedId);
  const list = listAnswer(pathname, question.mint(readablePost.id));
  if (list !== null) return { kind: 'list', answer: list };
  if (pathname === '/oembed') return oembedAnswer(question, searchParams.get('url') ?? '');
  if (pathname === '/aweme/v1/play/') return { kind: 'gateway', answer: gateway(question) };
  if (pathname === '/login') return other(text(200, '<!DOCTYPE html><title>Log in | TikTok</title>'));
  if (pathname === '/404') return other(text(200, '<a href="https://www.tiktok.com/">TikTok</a>'));
  if (pathname === '/') return home(question);
  return other(text(404, 'Not Found'));
}

function home(question: SiteQuestion): SiteAnswer {
  const { home } = question.gate.gate;
  if (home === 'challenge') return { kind: 'home', answer: challengePage(false) };
  const answer = page(question, '0', postPage(undefined, { kind: 'shell' }), { by: 'home' });
  return { kind: 'home', answer: home === 'hang' ? { ...answer, fault: { kind: 'stall-headers' } } : answer };
}

function other(answer: Answer): SiteAnswer {
  return { kind: 'other', answer };
}

function unwelcome(mood: 'challenge' | 'throttle', pathname: string): SiteAnswer {
  const answer = mood === 'challenge' ? challengePage(false) : text(429, 'overload-protect triggered');
  return { kind: POST_PATH.test(pathname) ? 'page' : 'other', answer };
}

function known(id: string): PostScenario | undefined {
  return /^\d{1,20}$/.test(id) ? postWithId(id) : undefined;
}

/** A short-link host's response to a code; Discord's bots get no `Location`. */
function shortLink(code: string, userAgent: string): SiteAnswer {
  const target = shortLinkAnswer(code);
  if (target.kind === 'status') return { kind: 'short-link', answer: text(target.status, '<html></html>') };
  const stub = `<a href="${target.location.replaceAll('&', '&amp;')}">Moved Permanently</a>.\n\n`;
  if (target.kind === 'stub' || userAgent.includes('Discordbot')) {
    const body = target.kind === 'stub' ? stub : '<html></html>';
    return { kind: 'short-link', answer: text(200, body) };
  }
  return { kind: 'short-link', answer: redirect(target.location, 301, stub) };
}

/** The short-link hosts' responses: to a code, or to the old forms of a post's address. */
export function shortLinkHostAnswer(url: URL, userAgent: string): SiteAnswer {
  const id = /^\/(?:v|share\/video|i18n\/share\/video)\/(\d+)/.exec(url.pathname)?.[1];
  if (id !== undefined) {
    const target = redirect(`https://www.tiktok.com/@/video/${id}/?_r=1`, 301);
    return { kind: 'short-link', scenario: known(id), answer: target };
  }
  return shortLink(url.pathname.split('/').find((part) => part !== '') ?? '', userAgent);
}

function postAnswer(
  question: SiteQuestion,
  id: string,
  scenario: PostScenario | undefined,
  asPhoto: boolean,
): Answer | Promise<Answer> {
  const byAgent = answerByUserAgent(question) ?? atGate(question.gate);
  if (byAgent === 'shell') return withCookies(question, question.mint(id), shellPage());
  if (byAgent === 'stub')
    return page(question, id, postPage(scenario, { kind: 'stub', mobile: isPhone(question) }));
  if (byAgent !== null) return byAgent;
  if (scenario === undefined) {
    const variant: PageVariant = /^\d{15,20}$/.test(id)
      ? { kind: 'status', code: 10204, message: "item doesn't exist" }
      : { kind: 'status', code: 100002, message: '' };
    return page(question, id, postPage(undefined, variant));
  }
  const reads = question.countRead(scenario);
  // The photo form of the address has no scope; `seo.abtest` names the other.
  if (asPhoto) return page(question, id, postPage(scenario, { kind: 'shell' }));
  const behaviour: PageBehaviour = reads <= scenario.pageReads ? scenario.page : { kind: 'post' };
  return answerByBehaviour(question, id, scenario, behaviour, reads === 1 && mintsStale(scenario));
}

function mintsStale(scenario: PostScenario): boolean {
  return scenario.media.some(({ fault }) => fault.kind === 'stale-first-read');
}

function answerByUserAgent({ userAgent, settings }: SiteQuestion): Answer | null {
  if (/facebookexternalhit|Discordbot|Twitterbot/.test(userAgent)) return decoyPage();
  if (/bingbot/i.test(userAgent)) return text(403, 'Forbidden');
  const chrome = Number(/Chrome\/(\d+)/.exec(userAgent)?.[1]);
  const [first, last] = settings.blockedChrome ?? [Number.NaN, Number.NaN];
  return chrome >= first && chrome <= last ? maintenancePage() : null;
}

function isPhone({ userAgent }: SiteQuestion): boolean {
  return agentKind(userAgent) === 'phone';
}

function answerByBehaviour(
  question: SiteQuestion,
  id: string,
  scenario: PostScenario,
  behaviour: PageBehaviour,
  stale: boolean,
): Answer | Promise<Answer> {
  const isMobile = isPhone(question);
  const show = (variant: PageVariant) => page(question, id, postPage(scenario, variant), { stale });
  const { reflow } = question.gate.gate;
  const truePage = () =>
    show(
      !isMobile
        ? { kind: 'post' }
        : reflow === 'no-item'
          ? { kind: 'stub', mobile: true }
          : { kind: 'mobile', isPlain: reflow === 'plain' },
    );
  switch (behaviour.kind) {
    case 'post':
      return truePage();
    case 'status':
      return show({ ...behaviour, mobile: isMobile });
    case 'status-on-phones':
      return isMobile ? show({ ...behaviour, kind: 'status', mobile: true }) : challengePage(false);
    case 'static-site':
      return staticSitePage();
    case 'strange':
      return show({ ...behaviour, mobile: isMobile });
    case 'wrong-id':
    case 'shell':
    case 'scope-renamed':
    case 'fields-renamed':
    case 'oversized':
      return show(behaviour);
    case 'truncated': {
      const whole = page({ ...question, gzip: false }, id, postPage(scenario, { kind: 'post' }));
      return { ...whole, body: whole.body.subarray(0, Math.floor(whole.body.length * behaviour.fraction)) };
    }
    case 'decoy':
      return decoyPage();
    case 'challenge':
      return challengePage(behaviour.withOriginalId);
    case 'challenge-mozilla':
      return question.userAgent.includes('Mozilla/5.0') ? challengePage(true) : truePage();
    case 'maintenance':
      return maintenancePage();
    case 'captcha-page':
      return captchaPage();
    case 'captcha-json':
      return captchaJson();
    case 'login':
      return loginRedirect(question.url.href);
    case 'empty':
      return text(200, '');
    case 'http':
      return text(
        behaviour.status,
        behaviour.body,
        behaviour.retryAfterS === undefined ? {} : { 'retry-after': String(behaviour.retryAfterS) },
      );
    case 'gzip-bomb':
      return gzipBomb(behaviour.bytes);
    case 'redirect':
      return redirect(
        {
          itself: question.url.href,
          foreign: 'https://www.example.com/landing',
          private: 'http://127.0.0.1:8080/admin',
        }[behaviour.to],
      );
    case 'transfer':
      return { ...truePage(), fault: behaviour.fault };
  }
}

/** A page with the three cookies; its media addresses are bound to one of them. */
function page(
  question: SiteQuestion,
  id: string,
  template: Template,
  { stale = false, by = 'page' }: { readonly stale?: boolean; readonly by?: 'page' | 'home' } = {},
): Answer {
  const minting = { ...question.mint(id), stale };
  const answer: Answer = {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-tt-logid': minting.logId,
      'x-cache': 'TCP_MISS from a23-45-67-89.deploy.akamaitechnologies.com',
      ...(question.gzip ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } : {}),
    },
    body: renderPage(template, minting, question.gzip),
  };
  return withCookies(question, minting, answer, by);
}

/** Adds the three cookies; a jar that has a `ttwid` keeps it. */
function withCookies(
  { gate, client, settings }: SiteQuestion,
  { logId, nowS, chainToken }: Minting,
  answer: Answer,
  by: 'page' | 'home' = 'page',
): Answer {
  const ttwid = gate.jars.isWarm(gate.ttwid, 'any') && gate.ttwid ? gate.ttwid : `1%7C${logId}%7C${nowS}`;
  gate.jars.handOut(ttwid, by, client);
  const cookies = [
    `ttwid=${ttwid}; Domain=.tiktok.com; Path=/; Max-Age=31104000; HttpOnly; Secure`,
    `tt_csrf_token=${logId.slice(-8)}-${logId.slice(-16, -8)}; Domain=.tiktok.com; Path=/; Secure`,
    `tt_chain_token=${chainToken}; Domain=.tiktok.com; Path=/; Max-Age=15552000; HttpOnly; Secure`,
    ...(settings.oddCookies === 'none' ? [] : oddCookies),
    ...(settings.oddCookies === 'too-many' ? tooManyCookies : []),
  ];
  return { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } };
}

const tooManyCookies = Array.from({ length: 500 }, (_, n) => `more-${n}=${n}; Domain=.tiktok.com; Path=/`);

/** Cookies that an anonymous visitor's jar has no room for, or must refuse. */
const oddCookies = [
  `large=${'x'.repeat(8_000)}; Domain=.tiktok.com; Path=/`,
  ...Array.from({ length: 60 }, (_, n) => `many-${n}=${n}; Domain=.tiktok.com; Path=/`),
  'foreign=1; Domain=.example.com; Path=/',
  'all=1; Domain=.com; Path=/',
  'elsewhere=1; Domain=www.tiktokcdn.com; Path=/',
  'tab=a\tb; Domain=.tiktok.com; Path=/',
  'past=1; Domain=.tiktok.com; Path=/; Max-Age=0',
  '=nameless; Domain=.tiktok.com; Path=/',
  'nothing',
];

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function player(question: SiteQuestion, id: string): SiteAnswer {
  const scenario = known(id);
  const nothing = { status_code: 0, items: null, results: [{ id_str: id, code: 'nil_core_data' }] };
  const answer = (): Answer => {
    if (!/^\d+$/.test(id)) return json({ status_code: 5, status_msg: 'Invalid parameters' });
    if (scenario === undefined) return json(nothing);
    switch (scenario.player) {
      case 'found':
      case 'whole':
        return { status: 200, headers: JSON_TYPE, body: playerItems(scenario).render(question.mint(id)) };
      case 'nil':
        return json(nothing);
      case 'busy':
        return json({ ...nothing, results: [{ id_str: id, code: 'api_busy' }] });
      case 'error':
        return json({ status_code: 5, status_msg: 'internal error' }, 500);
      case 'empty':
        return { status: 200, headers: JSON_TYPE, body: Buffer.alloc(0) };
      case 'fields-renamed':
        return json({ status_code: 0, list: [{ pid: id, clip: { src: 'none' } }] });
    }
  };
  return { kind: 'player', scenario, answer: answer() };
}

function embed(question: SiteQuestion, id: string): SiteAnswer {
  const scenario = known(id);
  const answer = (): Answer => {
    if (scenario === undefined || scenario.embed === 'gone') return text(400, '');
    if (scenario.embed === 'error') return text(500, 'Internal Server Error');
    const template = embedPage(scenario, scenario.embed === 'fields-renamed');
    return text(200, template.render(question.mint(id)).toString());
  };
  return { kind: 'embed', scenario, answer: answer() };
}

function oembedAnswer(question: SiteQuestion, address: string): SiteAnswer {
  const id = /\/(?:video|photo)\/(\d+)/.exec(address)?.[1] ?? '';
  const scenario = known(id);
  if (scenario === undefined || scenario.oembed === 'gone') {
    return { kind: 'oembed', scenario, answer: text(400, '') };
  }
  const body = oembed(scenario).render(question.mint(id));
  return { kind: 'oembed', scenario, answer: { status: 200, headers: JSON_TYPE, body } };
}

function gateway(question: SiteQuestion): Answer {
  const { searchParams } = question.url;
  const key = searchParams.get('video_id') ?? '';
  if (!searchParams.has('file_id')) return json({ status_code: 5, status_msg: 'Invalid parameters' }, 404);
  if (question.settings.gateway === 'datacentre') {
    const stub = '<a href="https://www.tiktok.com/404">Found</a>.\n\n';
    return redirect(`https://www.tiktok.com/404?fromUrl=${encodeURIComponent('/aweme/v1/play/')}`, 302, stub);
  }
  const minting = question.mint(searchParams.get('item_id') ?? '');
  return redirect(
    question.hasCookies
      ? primeUrl(minting, 'v16-webapp-prime.tiktok.com', key, 0)
      : pathSignedUrl(minting, 'v16m-default.tiktokcdn-us.com', key, 0, 'video_mp4'),
  );
}
