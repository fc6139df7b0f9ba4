import type { HostClass } from '../../network/contracts.ts';

/** Every host name that a request for a TikTok post may ever go to. */
export const tiktokHosts: Readonly<Record<HostClass, readonly RegExp[]>> = {
  page: [/^www\.tiktok\.com$/],
  'short-link': [/^(?:vm|vt|t|m|pro|www)\.tiktok\.com$/, /^www\.tiktokv\.com$/],
  media: [
    /^v\d{1,3}[a-z]?(-[a-z0-9]+)*\.tiktokcdn(-[a-z]{2,6})?\.com$/,
    /^v\d{1,3}(-webapp|-webapp-prime|-web)?(\.us|\.eu)?\.tiktok\.com$/,
    /^p\d{1,3}(-[a-z0-9]+)*\.tiktokcdn(-[a-z]{2,6})?\.com$/,
    /^sf\d{1,3}(-[a-z0-9]+)*\.tiktokcdn(-[a-z]{2})?\.com$/,
    // The gateway, used for media only when a post has no other address.
    /^www\.tiktok\.com$/,
  ],
};
