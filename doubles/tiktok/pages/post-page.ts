import type { Minting } from '../media/signing.ts';
import { postUrl } from '../scenarios/posts.ts';
import type { PostScenario, StrangeItem } from '../scenarios/scenario.ts';
import { escapeForPage, interfaceTexts, pageJson } from './html.ts';
import { itemStruct } from './item.ts';
import { Slots, type Template } from './template.ts';

/** The contents of the page: the post, or something in its place. */
export type PageVariant =
  | { readonly kind: 'post' }
  /** The page for phones; `isPlain` without encodings. */
  | { readonly kind: 'mobile'; readonly isPlain?: boolean }
  /** The data of a page, without the item and without a message. */
  | { readonly kind: 'stub'; readonly mobile: boolean }
  | { readonly kind: 'wrong-id' }
  | { readonly kind: 'scope-renamed' }
  | { readonly kind: 'fields-renamed' }
  | { readonly kind: 'strange'; readonly how: StrangeItem; readonly mobile?: boolean }
  | { readonly kind: 'shell' }
  | { readonly kind: 'status'; readonly code: number; readonly message: string; readonly mobile?: boolean }
  | { readonly kind: 'oversized'; readonly bytes: number };

const TRANSLATION_BYTES = 190_000;
const OTHER_BYTES = 75_000;

/** Fixed parts of every page: shared objects, so that they are built once. */
const translations = interfaceTexts(TRANSLATION_BYTES);
const abParameters = interfaceTexts(OTHER_BYTES / 2);
const bizContext = { os: 'linux', navList: interfaceTexts(OTHER_BYTES / 2), feedCacheEnable: false };

const pages = new Map<string, Template>();

/** The page of a post (or the shell without one), ready to be filled with fresh addresses. */
export function postPage(scenario: PostScenario | undefined, variant: PageVariant): Template {
  const key = `${scenario?.name}|${JSON.stringify(variant)}`;
  let page = pages.get(key);
  if (page === undefined) {
    page = makePage(scenario, variant);
    pages.set(key, page);
  }
  return page;
}

/** The page as the platform sends it to a browser. */
export function renderPage(page: Template, minting: Minting, gzip: boolean): Buffer {
  return gzip ? page.renderGzip(minting) : page.render(minting);
}

function makePage(scenario: PostScenario | undefined, variant: PageVariant): Template {
  const slots = new Slots();
  const canonical =
    scenario === undefined || variant.kind === 'shell' ? 'https://www.tiktok.com/' : postUrl(scenario);
  const scopes: Record<string, unknown> = {
    'webapp.app-context': {
      language: 'en',
      region: 'US',
      appId: 1988,
      appType: 'm',
      wid: slots.add(({ logId }) => `7${logId.replace(/\D/g, '').slice(0, 18)}`),
      csrfToken: slots.add(({ logId }) => logId.slice(-12)),
      botType: 'others',
    },
    'webapp.biz-context': bizContext,
    'webapp.i18n-translation': translations,
    // One slot is here and one in the last scope: the parts before and between them are the same on every page.
    'seo.abtest': { pageId: slots.add(() => 'video'), canonical, vidList: [], launchMode: 'direct' },
    ...detailScopes(scenario, variant, slots),
    'webapp.a-b': { versionName: slots.add(() => '1,2,3'), parameters: abParameters },
  };
  if (variant.kind === 'oversized') scopes['webapp.filler'] = interfaceTexts(variant.bytes);
  const json = pageJson({ __DEFAULT_SCOPE__: scopes });
  return slots.template(`${HEAD}${json}${TAIL}`, escapeForPage);
}

function detailScopes(
  scenario: PostScenario | undefined,
  variant: PageVariant,
  slots: Slots,
): Record<string, unknown> {
  if (variant.kind === 'status') {
    // The page for phones has another name for the message, and no more than these two.
    if (variant.mobile === true) {
      const failed = { statusCode: variant.code, statusMessage: variant.message };
      return { 'webapp.reflow.video.detail': failed };
    }
    const failed = { itemInfo: {}, shareMeta: {}, statusCode: variant.code, statusMsg: variant.message };
    return { 'webapp.video-detail': failed };
  }
  if (variant.kind === 'stub')
    return { [variant.mobile ? 'webapp.reflow.video.detail' : 'webapp.video-detail']: { shareMeta: {} } };
  if (variant.kind === 'shell' || scenario === undefined) return {};
  const struct = itemStruct(scenario, slots);
  const item = itemOf(struct, variant);
  const detail = {
    itemInfo: { itemStruct: item },
    shareMeta: { title: `${scenario.post.nickname} on TikTok`, desc: scenario.post.text.slice(0, 200) },
    statusCode: 0,
    statusMsg: '',
  };
  const isMobile = variant.kind === 'mobile' || (variant.kind === 'strange' && variant.mobile === true);
  if (isMobile) return { 'webapp.reflow.video.detail': detail };
  if (variant.kind === 'scope-renamed') return { 'webapp.content-detail-v2': detail };
  if (variant.kind === 'fields-renamed') {
    return {
      'webapp.video-detail': { payload: { post: { pid: struct.id, media: struct.video } }, status: 'ok' },
    };
  }
  return { 'webapp.video-detail': detail };
}

/** All that a phone's page says of a video where it has no encodings. */
const plainFields = 'id width height duration ratio cover originCover playAddr subtitleInfos'.split(' ');

function itemOf(struct: ReturnType<typeof itemStruct>, variant: PageVariant): unknown {
  if (variant.kind === 'wrong-id') return { ...struct, id: '7300000000000000777' };
  if (variant.kind === 'mobile' && variant.isPlain === true && struct.video !== undefined) {
    return {
      ...struct,
      video: Object.fromEntries(
        plainFields.map((name) => [name, (struct.video as Record<string, unknown>)[name]]),
      ),
    };
  }
  return variant.kind === 'strange' ? strangeItem(struct, variant.how) : struct;
}

function strangeItem(struct: ReturnType<typeof itemStruct>, how: StrangeItem): unknown {
  const withoutAddresses = { ...struct.video, playAddr: '', PlayAddrStruct: {}, bitrateInfo: [] };
  switch (how) {
    case 'no-address':
      return { ...struct, video: { ...withoutAddresses, downloadAddr: '' } };
    case 'only-marked':
      return { ...struct, video: withoutAddresses };
    case 'item-list':
      return [struct];
    case 'video-text':
      return { ...struct, video: 'v12044gd0000' };
    case 'number-id':
      return { ...struct, id: 7_300_000_000_000_000_000 };
  }
}

const CHUNKS = [
  'webapp-main',
  'captcha-loader',
  'captcha-verify-lazy',
  'video-detail',
  'slardar-sdk',
  'vendors',
];

const HEAD =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>TikTok - Make Your Day</title>' +
  '<script id="slardar-config" type="application/json">{"bid":"tiktok_web","slardarClient":"SlardarClient"}</script>' +
  CHUNKS.map(
    (name) => `<script defer src="https://lf16-tiktok-web.tiktokcdn-us.com/obj/${name}.js"></script>`,
  ).join('') +
  '</head><body><div id="app"></div>' +
  '<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">';
const TAIL = '</script></body></html>';
