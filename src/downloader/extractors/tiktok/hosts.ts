import type { HostLists } from '../../network/targets.ts';

/**
 * The company's domains for media and links, outside `.com` as well. All but the first were met in public captures of
 * 2025 and 2026; a domain that was never met there is not on the list, whoever may own it.
 */
const mediaDomains = [
  'tiktok\\.com',
  'tiktok[vw]\\.(?:com|eu|us)',
  'tiktokcdn(?:-[a-z]{2,6})?\\.com',
  'tiktok(?:row|eu)-cdn\\.com',
  'ttcdn-us\\.com',
].join('|');

/** Every host name that a request for a TikTok post may ever go to. */
export const tiktokHosts = {
  'tiktok/page': [/^(?:www|m)\.tiktok\.com$/],
  'tiktok/short-link': [/^(?:vm|vt|t|m|pro|www)\.tiktok\.com$/, /^www\.tiktokv\.(?:com|eu|us)$/],
  // Names of media servers change often, so whole domains of the platform are allowed, and each connection's address is
  // checked before it opens. The gateway on the pages' host is one of them.
  'tiktok/media': [new RegExp(`^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,4}(?:${mediaDomains})$`)],
} as const satisfies HostLists;

/** Domains at which media of the platform may turn up. Closed, since these are values of a metric. */
const watchedDomains = [
  ...['xzcs3zlph.com', 'akamaized.net', 'akamaihd.net', 'byteicdn.com', 'muscdn.com', 'musical.ly'],
  ...['ibyteimg.com', 'ibytedtos.com', 'byteoversea.com', 'bytefcdn-oversea.com', 'bytedance.com'],
  ...['tiktok.com', 'tiktokv.com', 'tiktokcdn.com', 'ttwstatic.com', 'ttlivecdn.com', 'cloudfront.net'],
] as const;

/**
 * The name under which a media host that is not on the list is counted: a watched domain, else the family of its name or
 * `other`. Bounded, whatever an answer names.
 */
export function nameOfRefusedHost(host: string): string {
  const watched = watchedDomains.find((domain) => host === domain || host.endsWith(`.${domain}`));
  if (watched !== undefined) return watched;
  if (/(?:^|\.)(?:tiktok|ttcdn)[a-z0-9-]*\.[a-z]{2,6}$/.test(host)) return 'another tiktok domain';
  return /(?:^|\.)i?byte[a-z0-9-]*\.[a-z]{2,6}$/.test(host) ? 'another byte domain' : 'other';
}
