/** The roles of the double's virtual hosts. */
export type HostRole = 'site' | 'short-link' | 'prime' | 'path-signed' | 'images' | 'sound';

/** Faults of every connection to a host. */
export type HostFault = 'refuse' | 'bad-tls' | 'hang';

/** Every host that the double plays. A CONNECT to any other is refused and counted as foreign. */
export const HOSTS: Readonly<Record<string, HostRole>> = {
  'www.tiktok.com': 'site',
  'vm.tiktok.com': 'short-link',
  'vt.tiktok.com': 'short-link',
  't.tiktok.com': 'short-link',
  'm.tiktok.com': 'short-link',
  'pro.tiktok.com': 'short-link',
  'www.tiktokv.com': 'short-link',
  'v16-webapp-prime.tiktok.com': 'prime',
  'v19-webapp-prime.tiktok.com': 'prime',
  'webapp-va.tiktok.com': 'prime',
  'video-useast5.us.tiktok.com': 'prime',
  'v76-webapp-prime.tiktok.com': 'prime',
  'v77-webapp-prime.tiktok.com': 'prime',
  'v78-webapp-prime.tiktok.com': 'prime',
  'v16m.tiktokcdn-us.com': 'path-signed',
  'v19m.tiktokcdn-us.com': 'path-signed',
  'v16m-default.tiktokcdn-us.com': 'path-signed',
  'p16-common-sign.tiktokcdn-us.com': 'images',
  'p19-common-sign.tiktokcdn-us.com': 'images',
  'sf16-music-sign.tiktokcdn-us.com': 'sound',
};

/** Media hosts that never work; scenarios name them to show what a broken server does. */
export const BROKEN_HOSTS: Readonly<Record<string, HostFault>> = {
  'v76-webapp-prime.tiktok.com': 'hang',
  'v77-webapp-prime.tiktok.com': 'bad-tls',
  'v78-webapp-prime.tiktok.com': 'refuse',
};
