import { postNamed, postUrl } from './posts.ts';

/** A short-link host's response to one code. */
export type ShortLinkAnswer =
  | { readonly kind: 'redirect'; readonly location: string }
  /** No `Location`; the body contains the address. */
  | { readonly kind: 'stub'; readonly location: string }
  | { readonly kind: 'status'; readonly status: number };

export interface ShortLink {
  readonly name: string;
  readonly about: string;
  /** Case-sensitive; the same on every short-link host. */
  readonly code: string;
  /** The address that a visitor copies. */
  readonly url: string;
  readonly answer: ShortLinkAnswer;
}

const HOME = 'https://www.tiktok.com/?_r=1';

/** Every short code of the double; any other is dead. */
export const SHORT_LINKS: readonly ShortLink[] = [
  link('short-vm', 'vm link to the ordinary post', 'ZSordinar', 'vm', toPost('ordinary')),
  link('short-vt', 'vt link to the 60 s post', 'ZSlong60s', 'vt', toPost('long-60s')),
  link('short-t', 'www.tiktok.com/t/ link to the ordinary post', 'ZTordinar', 'path', toPost('ordinary')),
  link('short-photo', 'Short link to a slideshow', 'ZSphotos1', 'vm', toPost('photos')),
  link('short-hyphen', 'A long code with a hyphen', 'ZSHK4xTqmk3Jg-MucBP', 'vm', toPost('ordinary')),
  link('short-stub', 'No Location: the address stands in the body', 'ZSstub001', 'vm', {
    kind: 'stub',
    location: `${postUrl(postNamed('ordinary'))}?_r=1&_t=ZS-8stub`,
  }),
  link('short-empty-handle', 'Old form: the handle is empty, tracking as in 2022', 'ZSold2022', 'vm', {
    kind: 'redirect',
    location: `https://www.tiktok.com/@/video/${postNamed('ordinary').id}?_r=1&_d=secCgYIASAHKAES&checksum=0a1b&language=en&preview_pb=0&share_app_id=1233&share_item_id=${postNamed('ordinary').id}&utm_source=copy`,
  }),
  link('short-mobile', 'Location names the mobile host', 'ZSmobile1', 'vm', {
    kind: 'redirect',
    location: `https://m.tiktok.com/v/${postNamed('ordinary').id}.html?_r=1`,
  }),
  link('short-share-item', 'Only share_item_id names the post', 'ZSshareit', 'vm', {
    kind: 'redirect',
    location: `https://www.tiktok.com/share/item?share_item_id=${postNamed('ordinary').id}&_r=1`,
  }),
  link('short-story', 'Leads to a story: an ordinary item', 'ZSstory01', 'vm', {
    kind: 'redirect',
    location: `https://www.tiktok.com/@ferry.captain/story/${postNamed('ordinary').id}?_t=8ab&_r=1`,
  }),
  link('short-deleted', 'Short link to a deleted post', 'ZSdeleted', 'vm', toPost('deleted')),
  link('short-dead', 'A dead code: redirect to the home page', 'ZSdead001', 'vm', to(HOME)),
  link(
    'short-not-found',
    'A dead code: redirect to the page for what is not there',
    'ZSdead404',
    'vm',
    to('https://www.tiktok.com/404?fromUrl=%2FZSdead404%2F'),
  ),
  link(
    'short-notfound',
    'The same by its other name',
    'ZSnotfoun',
    'vm',
    to('https://www.tiktok.com/notfound?_r=1'),
  ),
  link(
    'short-profile',
    'Leads to a profile',
    'ZSprofile',
    'vm',
    to('https://www.tiktok.com/@ferry.captain?_r=1'),
  ),
  link(
    'short-live',
    'Leads to a live room',
    'ZSlive001',
    'vm',
    to('https://www.tiktok.com/@ferry.captain/live?_r=1'),
  ),
  link(
    'short-music',
    'Leads to a sound',
    'ZSmusic01',
    'vm',
    to('https://www.tiktok.com/music/original-sound-7300000000000000001?_r=1'),
  ),
  link(
    'short-foreign',
    'Leads to another site',
    'ZSforeign',
    'vm',
    to('https://www.example.com/@a/video/7300000000000000001'),
  ),
  link(
    'short-private',
    'Leads to a private address',
    'ZSprivate',
    'vm',
    to('http://169.254.169.254/latest/meta-data/'),
  ),
  link('short-not-short', '200 without Location', 'ZSnolocat', 'vm', { kind: 'status', status: 200 }),
  link('short-404', '404', 'ZSgone404', 'vm', { kind: 'status', status: 404 }),
  link('short-throttled', '429', 'ZSslow429', 'vm', { kind: 'status', status: 429 }),
  link('short-server-error', '500', 'ZSfail500', 'vm', { kind: 'status', status: 500 }),
  link(
    'short-two-hops',
    'A short link to a short link',
    'ZStwohop1',
    'vm',
    to('https://vt.tiktok.com/ZSordinar/'),
  ),
  ...Array.from({ length: 10 }, (_, hop) =>
    link(
      hop === 0 ? 'short-loop' : `short-loop-${hop}`,
      'One of ten that lead round in a circle',
      `ZSloop00${hop}`,
      'vm',
      to(`https://vm.tiktok.com/ZSloop00${(hop + 1) % 10}/`),
    ),
  ),
];

const byCode = new Map(SHORT_LINKS.map((link) => [link.code, link]));

/** The platform's response to a code: an unknown one redirects to the home page. */
export function shortLinkAnswer(code: string): ShortLinkAnswer {
  return byCode.get(code)?.answer ?? to(HOME);
}

function link(
  name: string,
  about: string,
  code: string,
  form: 'vm' | 'vt' | 'path',
  answer: ShortLinkAnswer,
): ShortLink {
  const url = form === 'path' ? `https://www.tiktok.com/t/${code}/` : `https://${form}.tiktok.com/${code}/`;
  return { name, about, code, url, answer };
}

function to(location: string): ShortLinkAnswer {
  return { kind: 'redirect', location };
}

function toPost(name: string): ShortLinkAnswer {
  return to(`${postUrl(postNamed(name))}?_r=1&_t=ZS-8${name}`);
}
