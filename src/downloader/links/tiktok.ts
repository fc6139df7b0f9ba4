import type { LinkTable } from './link-table.ts';

/** A sound's id stands behind its title: `original-sound-7200000000000000001`. */
const soundName = /^(?:.*-)?([1-9][0-9]{14,19})(?:\.html)?$/;
/** A hashtag has letters, digits and underscores only. */
const hashtagName = /^([\p{L}\p{M}\p{N}_]{1,100})$/u;

/** The platform reads the id alone; any words before it will do. */
const listPaths = { sound: 'music/x-', creator: '@', hashtag: 'tag/' } as const;

/** TikTok's address forms; `cases.json` has an example of each. */
export const tiktokLinks: LinkTable = {
  platform: 'tiktok',
  // Today 19 digits; the upper half is the second of creation, so 15 to 20 leave room on both sides.
  id: /^[1-9][0-9]{14,19}$/,
  code: /^[A-Za-z0-9_-]{5,32}$/,
  handle: /^[\p{L}\p{M}\p{N}_.-]{0,128}$/u,
  language: /^[a-z]{2}(?:-[a-z]{2,4})?$/i,
  hosts: [
    { name: /^shop\.tiktok\.com$/, use: 'link_shop' },
    { name: /^(?:vm|vt|t|pro)\.tiktok\.com$/, use: 'codes' },
    // Bare, mobile, Lite and regional (uk., us.) names show the same posts.
    { name: /^(?:(?:www|lite|m)\.)?(?:[a-z]{1,2}\.)?tiktok\.com$/, use: 'posts' },
    { name: /^(?:(?:www|m)\.)?tiktok[vw]\.(?:com|eu|us)$/, use: 'posts' },
    { name: /^(?:[a-z0-9-]+\.)?(?:ies)?douyin\.com$/, use: 'link_douyin' },
  ],
  posts: [
    { path: '@{handle}/video/{id}' },
    { path: '@{handle}/photo/{id}' },
    { path: '@{handle}/story/{id}' },
    { path: '@{handle}/{id}' },
    // Comments, likes: parts of the post's own page.
    { path: '@{handle}/video/{id}/{word}' },
    { path: '@{handle}/photo/{id}/{word}' },
    { path: 'video/{id}' },
    { path: 'photo/{id}' },
    { path: 'v/{id}' },
    { path: 'v/{id}.html' },
    { path: 'embed/{id}' },
    { path: 'embed/v2/{id}' },
    { path: 'embed/v3/{id}' },
    { path: 'player/v1/{id}' },
    { path: 'share/video/{id}' },
    { path: 'i18n/share/video/{id}' },
    { path: 'trending', query: 'shareId' },
    // Copied text when the page had lost the post's own address.
    { path: 'foryou', query: 'item_id' },
    { path: '@{handle}/video/item_id={id}' },
    { path: '@{handle}/video/{rest}', query: 'item_id' },
    // Links with the applications' schemes.
    { path: 'aweme/detail/{id}' },
    { path: 'aweme/detail', query: 'aweme_id' },
    { path: 'aweme/detail', query: 'id' },
  ],
  codes: { codes: ['{code}', 't/{code}'], posts: ['t/{code}'] },
  others: [
    { path: '@{handle}/live/**', kind: 'link_live' },
    { path: 'share/live/**', kind: 'link_live' },
    { path: 'live/**', kind: 'link_live' },
    { path: '@{handle}/collection/**', kind: 'link_collection' },
    { path: '@{handle}/playlist/**', kind: 'link_collection' },
    { path: '@{handle}/story', kind: 'link_stories' },
    { path: '@{handle}/stories', kind: 'link_stories' },
    { path: '@{handle}/liked', kind: 'link_profile_list' },
    { path: '@{handle}/likes', kind: 'link_profile_list' },
    { path: '@{handle}/reposts', kind: 'link_profile_list' },
    { path: '@{handle}/repost', kind: 'link_profile_list' },
    { path: '@{handle}/favorites', kind: 'link_profile_list' },
    { path: '@{handle}/saved', kind: 'link_profile_list' },
    { path: 'music/**', kind: 'link_sound' },
    { path: 'share/music/**', kind: 'link_sound' },
    { path: 'tag/**', kind: 'link_hashtag' },
    { path: 'share/tag/**', kind: 'link_hashtag' },
    { path: 'sticker/**', kind: 'link_effect' },
    { path: 'effect/**', kind: 'link_effect' },
    { path: 'share/sticker/**', kind: 'link_effect' },
    { path: 'place/**', kind: 'link_place' },
    { path: 'discover/**', kind: 'link_search' },
    { path: 'search/**', kind: 'link_search' },
    { path: 'explore/**', kind: 'link_search' },
    { path: 'foryou/**', kind: 'link_search' },
    { path: 'following/**', kind: 'link_search' },
    { path: 'friends/**', kind: 'link_search' },
    { path: 'trending/**', kind: 'link_search' },
    { path: 'shop/**', kind: 'link_shop' },
    { path: 'view/product/**', kind: 'link_shop' },
    { path: 'login/**', kind: 'link_login' },
    { path: 'signup/**', kind: 'link_login' },
    { path: 'tiktoklite/**', kind: 'link_lite' },
    { path: '@{handle}', kind: 'link_profile' },
    { path: 'embed/@{handle}', kind: 'link_profile' },
    { path: 'share/user/**', kind: 'link_profile' },
    { path: 'h5/share/usr/**', kind: 'link_profile' },
  ],
  lists: [
    { path: 'music/{rest}', kind: 'sound', name: soundName },
    { path: 'share/music/{rest}', kind: 'sound', name: soundName },
    { path: 'embed/music/{rest}', kind: 'sound', name: soundName },
    { path: 'tag/{rest}', kind: 'hashtag', name: hashtagName },
    { path: 'embed/tag/{rest}', kind: 'hashtag', name: hashtagName },
    { path: '@{handle}', kind: 'creator' },
    { path: 'embed/@{handle}', kind: 'creator' },
  ],
  embedMark: /\bdata-video-id\s*=\s*[^\w\s]{0,2}(\w+)/gi,
  mention: /^@[A-Za-z0-9_.-]{2,64}$/,
  author: /^(?:(?:https?:\/\/)?(?:www\.|m\.)?tiktok\.com\/)?@([A-Za-z0-9_.-]{1,128})\/?(?:[?#].*)?$/i,
  appSchemes: [
    // TikTok, its name in some countries of Asia, and Lite.
    { schemes: 'snssdk(?:1180|1233|1339|1340)|tiktok|musically', host: 'www.tiktok.com' },
    { schemes: 'snssdk(?:1128|2329)', host: 'www.douyin.com' },
  ],
  addresses: {
    // The platform shows the post under any handle, or none.
    post: (id, handle = '') => `https://www.tiktok.com/@${handle}/video/${id}`,
    code: (code) => `https://vm.tiktok.com/${code}/`,
    list: ({ kind, name }) => `https://www.tiktok.com/${listPaths[kind]}${encodeURIComponent(name)}`,
  },
};
