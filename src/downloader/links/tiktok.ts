import type { LinkTable } from './link-table.ts';

/** TikTok's address forms; `cases.json` has an example of each. */
export const tiktokLinks: LinkTable = {
  platform: 'tiktok',
  // Today 19 digits; the upper half is the second of creation, so 15 to 20 leave room on both sides.
  id: /^[1-9][0-9]{14,19}$/,
  code: /^[A-Za-z0-9_-]{5,32}$/,
  handle: /^[A-Za-z0-9_.-]{0,128}$/,
  hosts: [
    { name: /^shop\.tiktok\.com$/, use: 'link_shop' },
    { name: /^(?:vm|vt|t|pro)\.tiktok\.com$/, use: 'codes' },
    // Bare, mobile, Lite and regional (uk., us.) names show the same posts.
    { name: /^(?:(?:www|lite|[a-z]{1,2})\.)?tiktok\.com$/, use: 'posts' },
    { name: /^(?:(?:www|m)\.)?tiktokv\.com$/, use: 'posts' },
  ],
  posts: [
    { path: '@{handle}/video/{id}' },
    { path: '@{handle}/photo/{id}' },
    { path: '@{handle}/{id}' },
    { path: 'v/{id}' },
    { path: 'v/{id}.html' },
    { path: 'embed/{id}' },
    { path: 'embed/v2/{id}' },
    { path: 'player/v1/{id}' },
    { path: 'share/video/{id}' },
    { path: 'i18n/share/video/{id}' },
    { path: 'trending', query: 'shareId' },
  ],
  codes: { codes: ['{code}', 't/{code}'], posts: ['t/{code}'] },
  others: [
    { path: '@{handle}/live/**', kind: 'link_live' },
    { path: 'share/live/**', kind: 'link_live' },
    { path: 'live/**', kind: 'link_live' },
    { path: '@{handle}/collection/**', kind: 'link_collection' },
    { path: '@{handle}/playlist/**', kind: 'link_collection' },
    { path: 'music/**', kind: 'link_sound' },
    { path: 'share/music/**', kind: 'link_sound' },
    { path: 'tag/**', kind: 'link_hashtag' },
    { path: 'share/tag/**', kind: 'link_hashtag' },
    { path: 'sticker/**', kind: 'link_effect' },
    { path: 'effect/**', kind: 'link_effect' },
    { path: 'share/sticker/**', kind: 'link_effect' },
    { path: 'discover/**', kind: 'link_search' },
    { path: 'search/**', kind: 'link_search' },
    { path: 'shop/**', kind: 'link_shop' },
    { path: 'view/product/**', kind: 'link_shop' },
    { path: '@{handle}', kind: 'link_profile' },
    { path: 'embed/@{handle}', kind: 'link_profile' },
    { path: 'share/user/**', kind: 'link_profile' },
    { path: 'h5/share/usr/**', kind: 'link_profile' },
  ],
};
