import { hash } from 'node:crypto';

/** Seconds that addresses live, on top of the clip's own length. */
const TWO_DAYS_S = 172_800;
const SIX_HOURS_S = 21_600;

/** The inputs of one response's addresses. */
export interface Minting {
  /** The requested post id. */
  readonly id: string;
  readonly nowS: number;
  /** The cookie value that prime addresses are bound to. */
  readonly chainToken: string;
  readonly logId: string;
  /** The client that receives all addresses, and for which they work. */
  readonly client: string;
  /** Addresses that the media servers will refuse, as if long expired. */
  readonly stale: boolean;
}

/** Signs an address, so that the servers recognise their own. */
function sign(...parts: ReadonlyArray<string | number | boolean>): string {
  return hash('md5', `platform double|${parts.join('|')}`);
}

const PRIME_FOLDER = '/video/tos/useast5/tos-useast5-ve-0068c002-tx/';

/** The facts about a file in a prime address. */
export interface PrimeFile {
  /** Ends its path in `/media-video-hvc1/`. */
  readonly trap?: boolean;
  readonly mimeType?: 'video_mp4' | 'audio_mp4';
}

/**
 * Address on a prime host: bound to the page's cookie. `key` names the file; `seconds` is the clip's length. The
 * doubled `&` is the platform's own.
 */
export function primeUrl(
  minting: Minting,
  host: string,
  key: string,
  seconds: number,
  { trap = false, mimeType = 'video_mp4' }: PrimeFile = {},
): string {
  const expire = minting.nowS + TWO_DAYS_S + Math.floor(seconds);
  const signature = sign('prime', key, expire, minting.chainToken, minting.client, minting.stale);
  return (
    `https://${host}${PRIME_FOLDER}${key}/${trap ? 'media-video-hvc1/' : ''}?a=1988&bti=ODszNWYuMDE6&&bt=1843&ft=4KJMyMzm8Zmo0` +
    `&mime_type=${mimeType}&rc=ZmU5NDs4aGdkNjY6&expire=${expire}&l=${minting.logId}&ply_type=2&policy=2` +
    `&signature=${signature}&tk=tt_chain_token&btag=e00088000`
  );
}

export type Refusal = 'cookie' | 'referer' | 'user-agent' | 'expired' | 'signature';

/** Headers and address of a media request, as the servers check them. */
export interface Seen {
  readonly url: URL;
  readonly client: string;
  readonly nowS: number;
  readonly cookies: ReadonlyMap<string, string>;
  readonly referer: string;
  readonly userAgent: string;
}

/** Why a prime host would refuse, or the key of the file. */
export function checkPrime({
  url,
  client,
  nowS,
  cookies,
  referer,
  userAgent,
}: Seen): { readonly key: string } | { readonly refused: Refusal } {
  const key = url.pathname.startsWith(PRIME_FOLDER)
    ? url.pathname.slice(PRIME_FOLDER.length).split('/')[0]
    : '';
  const chainToken = cookies.get('tt_chain_token');
  const expire = Number(url.searchParams.get('expire'));
  if (chainToken === undefined) return { refused: 'cookie' };
  if (!referer.startsWith('https://www.tiktok.com/')) return { refused: 'referer' };
  if (userAgent === '') return { refused: 'user-agent' };
  if (!(expire > nowS)) return { refused: 'expired' };
  const good =
    sign('prime', key ?? '', expire, chainToken, client, false) === url.searchParams.get('signature');
  return good ? { key: key ?? '' } : { refused: 'signature' };
}

/** Address signed in its path: needs no cookie. Sound lives six hours, everything else two days. */
export function pathSignedUrl(
  minting: Minting,
  host: string,
  key: string,
  seconds: number,
  mimeType: 'video_mp4' | 'audio_mpeg' | 'audio_mp4',
): string {
  const lifeS = mimeType === 'video_mp4' ? TWO_DAYS_S : SIX_HOURS_S;
  const expiry = (minting.nowS + lifeS + Math.floor(seconds)).toString(16).padStart(8, '0');
  const signature = sign('path', key, expiry, minting.client, minting.stale);
  return `https://${host}/${signature}/${expiry}/video/tos/useast5/tos-useast5-ve-27dcd7-tx/${key}/?a=1233&bti=ODszNWYuMDE6&bt=1843&ft=GSDrKInz7Th&mime_type=${mimeType}&rc=ZmU5NDs4&l=${minting.logId}&btag=e00088000`;
}

/** Why a path-signed host would refuse, or the key of the file. */
export function checkPathSigned({
  url,
  client,
  nowS,
}: Seen): { readonly key: string } | { readonly refused: Refusal } {
  const [, signature = '', expiry = '', , , , , key = ''] = url.pathname.split('/');
  if (!/^[0-9a-f]{8}$/.test(expiry)) return { refused: 'signature' };
  if (Number.parseInt(expiry, 16) <= nowS) return { refused: 'expired' };
  return sign('path', key, expiry, client, false) === signature ? { key } : { refused: 'signature' };
}

/** Address of a picture; `suffix` is the requested transformation of the platform's image service. */
export function imageUrl(minting: Minting, host: string, key: string, suffix: string): string {
  const expires = Math.floor((minting.nowS + TWO_DAYS_S) / 3600) * 3600;
  const signature = encodeURIComponent(
    `${sign('image', key, expires, minting.client, minting.stale).slice(0, 27)}=`,
  );
  return `https://${host}/tos-useast5-p-0068-tx/${key}~${suffix}?dr=9638&x-expires=${expires}&x-signature=${signature}&t=4d5b0474&ps=13740610&shp=81f88b70&shcp=9b759fb9&idc=useast5`;
}

/** Why an image host would refuse, or the key of the file. */
export function checkImage({
  url,
  client,
  nowS,
}: Seen): { readonly key: string } | { readonly refused: Refusal } {
  const key = url.pathname.split('/')[2]?.split('~')[0] ?? '';
  const expires = Number(url.searchParams.get('x-expires'));
  if (!(expires > nowS)) return { refused: 'expired' };
  const good =
    `${sign('image', key, expires, client, false).slice(0, 27)}=` === url.searchParams.get('x-signature');
  return good ? { key } : { refused: 'signature' };
}

/** Address of the video gateway, which redirects (or not) to a file. */
export function gatewayUrl(minting: Minting, key: string): string {
  return `https://www.tiktok.com/aweme/v1/play/?faid=1988&file_id=${sign('file', key)}&is_play_url=1&item_id=${minting.id}&line=0&ply_type=2&signaturev3=${sign('gateway', key)}&tk=tt_chain_token&video_id=${key}`;
}
