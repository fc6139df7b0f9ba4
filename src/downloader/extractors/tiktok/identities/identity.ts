import type { HttpVersion } from '../../../network/contracts.ts';
import { acceptedEncodings } from '../../../network/decoding.ts';

/** Where a page holds its post: the script's id and the member inside it; null when the script is the member. */
export interface DataPlace {
  readonly script: string;
  readonly member: string | null;
}

/**
 * One consistent client of the platform: what it claims to be, and everything that follows from the claim. It imitates
 * no TLS and solves no challenge.
 */
export interface Identity {
  readonly name: string;
  /** The gate tells these three apart. */
  readonly kind: 'desktop' | 'phone' | 'honest';
  readonly userAgent: string;
  /** The HTTP versions that the client speaks, best first. */
  readonly http: readonly HttpVersion[];
  /** Headers of a navigation, in the client's order; `cookie` marks the place of cookies. */
  readonly navigation: Readonly<Record<string, string>>;
  /** Headers of a script's request on the platform's own pages. */
  readonly script: Readonly<Record<string, string>>;
  /** The address of a post's page. Any handle shows the post, also a slideshow. */
  readonly pageOf: (id: string) => string;
  readonly places: readonly DataPlace[];
}

/** A list of identities that cannot be used. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}

const data = '__UNIVERSAL_DATA_FOR_REHYDRATION__';
const desktopPlaces: readonly DataPlace[] = [{ script: data, member: 'webapp.video-detail' }];
const phonePlaces: readonly DataPlace[] = [
  { script: data, member: 'webapp.reflow.video.detail' },
  { script: 'api-data', member: null },
  ...desktopPlaces,
];

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9';
const language = 'en-US,en;q=0.9';

/** The operating systems of client hints, by their sign in a user agent. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/Windows NT/, 'Windows'],
  [/Android/, 'Android'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'Chrome OS'],
  [/Linux/, 'Linux'],
];

/**
 * An identity from its user agent: the rest is derived, so that nothing can contradict it.
 * @throws IdentityError for an agent that claims two browsers, or one whose headers are not known
 */
export function makeIdentity(name: string, userAgent: string): Identity {
  if (!/^[\x20-\x7e]{1,300}$/.test(userAgent)) throw new IdentityError(`${name}: not a user agent`);
  if (!userAgent.includes('Mozilla/5.0')) return honest(name, userAgent);
  const chrome = /\bChrome\/(\d{2,3})\b/.exec(userAgent)?.[1];
  const firefox = /\bFirefox\/\d{2,3}\b/.test(userAgent);
  const safari = chrome === undefined && /\bVersion\/\d+.*\bSafari\//.test(userAgent);
  if ([chrome !== undefined, firefox, safari].filter(Boolean).length !== 1 || /\bEdg|\bOPR\//.test(userAgent))
    throw new IdentityError(`${name}: must claim to be one of Chrome, Firefox and Safari, or no browser`);
  const isPhone = /\b(?:iPhone|Android)\b/.test(userAgent);
  if (isPhone !== /\bMobile\b/.test(userAgent))
    throw new IdentityError(`${name}: a phone says Mobile, others do not`);
  const headers =
    chrome !== undefined
      ? chromeHeaders(name, userAgent, chrome)
      : firefox
        ? firefoxHeaders(userAgent)
        : safariHeaders(userAgent);
  return {
    name,
    kind: isPhone ? 'phone' : 'desktop',
    userAgent,
    http: ['2', '1.1'],
    ...headers,
    pageOf: isPhone
      ? (id) => `https://m.tiktok.com/v/${id}.html`
      : (id) => `https://www.tiktok.com/@i/video/${id}`,
    places: isPhone ? phonePlaces : desktopPlaces,
  };
}

type HeaderSets = Pick<Identity, 'navigation' | 'script'>;

/** @throws IdentityError when the agent names no operating system */
function chromeHeaders(name: string, userAgent: string, version: string): HeaderSets {
  const system = systems.find(([sign]) => sign.test(userAgent))?.[1];
  if (system === undefined) throw new IdentityError(`${name}: names no operating system`);
  const hints = {
    'sec-ch-ua': `"Chromium";v="${version}", "Google Chrome";v="${version}", "Not?A_Brand";v="24"`,
    'sec-ch-ua-mobile': /\bMobile\b/.test(userAgent) ? '?1' : '?0',
    'sec-ch-ua-platform': `"${system}"`,
  };
  return {
    navigation: {
      ...hints,
      'upgrade-insecure-requests': '1',
      'user-agent': userAgent,
      accept: `${html},image/avif,image/webp,image/apng,*/*;q=0.8`,
      'sec-fetch-site': 'none',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-user': '?1',
      'sec-fetch-dest': 'document',
      'accept-encoding': acceptedEncodings,
      'accept-language': language,
      cookie: '',
      priority: 'u=0, i',
    },
    script: {
      'sec-ch-ua-platform': hints['sec-ch-ua-platform'],
      'user-agent': userAgent,
      'sec-ch-ua': hints['sec-ch-ua'],
      'sec-ch-ua-mobile': hints['sec-ch-ua-mobile'],
      accept: '*/*',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
      referer: 'https://www.tiktok.com/',
      'accept-encoding': acceptedEncodings,
      'accept-language': language,
      cookie: '',
      priority: 'u=1, i',
    },
  };
}

const firefoxHeaders = (userAgent: string): HeaderSets => ({
  navigation: {
    'user-agent': userAgent,
    accept: `${html},*/*;q=0.8`,
    'accept-language': 'en-US,en;q=0.5',
    'accept-encoding': acceptedEncodings,
    cookie: '',
    'upgrade-insecure-requests': '1',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    'sec-fetch-user': '?1',
    priority: 'u=0, i',
  },
  script: {
    'user-agent': userAgent,
    accept: '*/*',
    'accept-language': 'en-US,en;q=0.5',
    'accept-encoding': acceptedEncodings,
    referer: 'https://www.tiktok.com/',
    cookie: '',
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': 'cors',
    'sec-fetch-site': 'same-origin',
  },
});

const safariHeaders = (userAgent: string): HeaderSets => ({
  navigation: {
    accept: `${html},*/*;q=0.8`,
    'sec-fetch-site': 'none',
    cookie: '',
    'sec-fetch-dest': 'document',
    'accept-language': language,
    'sec-fetch-mode': 'navigate',
    'user-agent': userAgent,
    'accept-encoding': acceptedEncodings,
  },
  script: {
    accept: '*/*',
    'sec-fetch-site': 'same-origin',
    cookie: '',
    'sec-fetch-dest': 'empty',
    'accept-language': language,
    'sec-fetch-mode': 'cors',
    'user-agent': userAgent,
    referer: 'https://www.tiktok.com/',
    'accept-encoding': acceptedEncodings,
  },
});

/** A program under its own name: no header of a browser. */
function honest(name: string, userAgent: string): Identity {
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,*/*;q=0.8',
    'accept-language': 'en',
    'accept-encoding': acceptedEncodings,
    cookie: '',
  };
  return {
    name,
    kind: 'honest',
    userAgent,
    http: ['1.1'],
    navigation: headers,
    script: { ...headers, accept: '*/*' },
    pageOf: (id) => `https://www.tiktok.com/@i/video/${id}`,
    places: desktopPlaces,
  };
}
