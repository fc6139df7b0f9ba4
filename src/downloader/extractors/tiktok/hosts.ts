import type { HostLists } from '../../network/targets.ts';

/** Every host name that a request for a TikTok post may ever go to. */
export const tiktokHosts = {
  'tiktok/page': [/^(?:www|m)\.tiktok\.com$/],
  'tiktok/short-link': [/^(?:vm|vt|t|m|pro|www)\.tiktok\.com$/, /^www\.tiktokv\.com$/],
  // Names of media servers change often, so whole domains of the platform are allowed, and each connection's address is
  // checked before it opens. The gateway on the pages' host is one of them.
  'tiktok/media': [
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}(?:tiktok|tiktokv|tiktokcdn(?:-[a-z]{2,6})?)\.com$/,
  ],
} as const satisfies HostLists;
