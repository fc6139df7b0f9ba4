import type { MediaSource } from '../../../post/post.ts';
import { tiktokHosts } from '../hosts.ts';

/** Headers that a browser on the page would send to the media servers. */
export interface Session {
  readonly userAgent: string;
  /** `Cookie` header from the page's response; null when the addresses need none. */
  readonly cookie: string | null;
  /** The egress for which the addresses were issued; undefined when there is only one. */
  readonly egress?: string | undefined;
}

const maxUrlLength = 4_096;
const maxMirrors = 6;
/** Lifetime of addresses without an expiry time: the shortest observed lifetime is six hours. */
const unknownLifeMs = 3_600_000;

/**
 * Returns the address if media may be fetched from it: https, no user-info or port, a host of the platform. It is kept
 * verbatim: a rebuilt query breaks the signature.
 */
export function mediaAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxUrlLength) return null;
  // A host in these characters that is on the list is what a parser of URLs finds too: no user-info, port or escape.
  const host = /^https:\/\/([a-z0-9.-]+)\/[\x21-\x5b\x5d-\x7e]*$/.exec(value)?.[1];
  return host !== undefined && tiktokHosts['tiktok/media'].some((known) => known.test(host)) ? value : null;
}

/** The host of an address that would be media's, were its host known; null for any other text. */
export function unknownHost(url: string): string | null {
  const host = /^https:\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24})\//.exec(
    url.slice(0, maxUrlLength),
  )?.[1];
  return host === undefined || tiktokHosts['tiktok/media'].some((known) => known.test(host)) ? null : host;
}

/** The gateway on the pages' host answers data centres with a web page instead of the file. */
export function isGateway(url: string): boolean {
  return url.startsWith('https://www.tiktok.com/');
}

/** Files of this kind (`media-video-hvc1`, `media-video-avc1`) hold the picture only, or are missing. */
export function isPictureAlone(url: string): boolean {
  return /\/media-video-[a-z0-9]{1,16}\/?(?:\?|$)/.test(url);
}

/** The common part of all addresses of a file: the path without its signature; null for the gateway. */
export function fileOf(url: string): string | null {
  if (isGateway(url)) return null;
  const path = /^https:\/\/[^/]+(\/[^?]*)/.exec(url)?.[1];
  return (
    path
      ?.replace(/^\/[0-9a-f]{32}\/[0-9a-f]{8}(?=\/)/, '')
      .replace(/\/media-video-[a-z0-9]{1,16}\/?$/, '/') ?? null
  );
}

/** A song where a video is expected: posts of pictures that the page describes as videos name their song so. */
export function isSong(url: string): boolean {
  const [address = '', query = ''] = url.split('?', 2);
  return (
    /(?:^|&)mime_type=audio_/.test(query) ||
    /\.(?:mp3|m4a|aac)$/i.test(address) ||
    /^https:\/\/sf\d+-[a-z0-9-]*music|\/obj\/[a-z0-9-]*music[a-z0-9-]*\//.test(address)
  );
}

/**
 * The container that a sound's addresses state (`mime_type=audio_mpeg`, or the file extension); null when they state
 * none.
 */
export function soundContainerOf(urls: readonly string[]): 'mp3' | 'mp4' | null {
  for (const url of urls) {
    const [, type] = /[?&]mime_type=audio_(mpeg|mp4)(?:&|$)/.exec(url) ?? [];
    if (type !== undefined) return type === 'mp4' ? 'mp4' : 'mp3';
    const [, ending] = /^[^?#]+\.(mp3|m4a)(?:\?|$)/.exec(url) ?? [];
    if (ending !== undefined) return ending === 'm4a' ? 'mp4' : 'mp3';
  }
  return null;
}

/** When the address stops working, in ms since the epoch; null when it does not say. */
export function expiryOf(url: string): number | null {
  const inQuery = /[?&](?:expire|x-expires)=(\d{9,11})(?:&|$)/.exec(url)?.[1];
  if (inQuery !== undefined) return Number(inQuery) * 1000;
  const inPath = /^https:\/\/[^/]+\/[0-9a-f]{32}\/([0-9a-f]{8})\//.exec(url)?.[1];
  return inPath === undefined ? null : Number.parseInt(inPath, 16) * 1000;
}

/**
 * Builds a source from checked addresses of the same bytes; null when there are none.
 * @param nowMs time of the answer that contained them
 */
export function mediaSource(urls: readonly string[], session: Session, nowMs: number): MediaSource | null {
  if (urls.length === 0) return null;
  const mirrors = [...new Set(urls)].slice(0, maxMirrors);
  const headers: Record<string, string> = {
    referer: 'https://www.tiktok.com/',
    'user-agent': session.userAgent,
  };
  if (session.cookie !== null && mirrors.some((url) => /^https:\/\/[^/]+\.tiktok\.com\//.test(url))) {
    headers.cookie = session.cookie;
  }
  const expiresAt = Math.min(...mirrors.map((url) => expiryOf(url) ?? nowMs + unknownLifeMs));
  return {
    urls: mirrors,
    headers,
    expiresAt,
    ...(session.egress !== undefined && { egress: session.egress }),
  };
}
