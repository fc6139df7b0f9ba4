import type { Locale } from '../../../i18n/languages.ts';

/** A place where visitors pass a page on. */
export interface Network {
  /** In its own spelling, the same in all languages. */
  readonly name: string;
  /** The address that opens it; braces mark its values, in the parameters of the query (see `share-link.ts`). */
  readonly link: string;
  /** Opens an app that computers rarely have: offered on touch screens. */
  readonly isApp?: boolean;
}

/**
 * The networks that can be reached by a plain link, without a script or a key of theirs. KakaoTalk, WeChat, Messenger
 * and Instagram cannot: their users find them in the system's share sheet.
 */
export const networks = {
  facebook: {
    name: 'Facebook',
    link: 'https://www.facebook.com/sharer/sharer.php?u={url}&quote={quote}&hashtag={hashtag}',
  },
  x: {
    name: 'X',
    link: 'https://x.com/intent/post?text={title}&url={url}&hashtags={hashtags}&via={twitterUser}',
  },
  pinterest: {
    name: 'Pinterest',
    link: 'https://www.pinterest.com/pin/create/button/?url={url}&media={media}&description={title}',
  },
  reddit: { name: 'Reddit', link: 'https://www.reddit.com/submit?url={url}&title={title}' },
  quora: { name: 'Quora', link: 'https://www.quora.com/share?url={url}&title={title}' },
  whatsapp: { name: 'WhatsApp', link: 'https://wa.me/?text={title} {url}' },
  telegram: { name: 'Telegram', link: 'https://t.me/share/url?url={url}&text={title}' },
  viber: { name: 'Viber', link: 'viber://forward?text={title} {url}', isApp: true },
  line: { name: 'LINE', link: 'https://social-plugins.line.me/lineit/share?url={url}&text={title}' },
  vk: { name: 'VK', link: 'https://vk.com/share.php?url={url}&title={title}&image={media}' },
  ok: {
    name: 'OK',
    link: 'https://connect.ok.ru/offer?url={url}&title={title}&description={description}&imageUrl={media}',
  },
  linkedin: { name: 'LinkedIn', link: 'https://www.linkedin.com/sharing/share-offsite/?url={url}' },
  xing: { name: 'XING', link: 'https://www.xing.com/spi/shares/new?url={url}' },
  tumblr: {
    name: 'Tumblr',
    link: 'https://www.tumblr.com/widgets/share/tool?canonicalUrl={url}&title={title}&caption={description}&tags={hashtags}',
  },
  threads: { name: 'Threads', link: 'https://www.threads.net/intent/post?text={title} {url}' },
  bluesky: { name: 'Bluesky', link: 'https://bsky.app/intent/compose?text={title} {url}' },
  hatena: {
    name: 'はてなブックマーク',
    link: 'https://b.hatena.ne.jp/add?mode=confirm&url={url}&title={title}',
  },
  naver: { name: 'NAVER', link: 'https://share.naver.com/web/shareView?url={url}&title={title}' },
  band: { name: 'BAND', link: 'https://band.us/plugin/share?body={title} {url}&route={url}' },
  weibo: {
    name: '微博',
    link: 'https://service.weibo.com/share/share.php?url={url}&title={title}&pic={media}',
  },
  qzone: {
    name: 'QQ空间',
    link: 'https://sns.qzone.qq.com/cgi-bin/qzshare/cgi_qzshare_onekey?url={url}&title={title}&summary={description}&pics={media}',
  },
  // RFC 6068 requires CRLF line breaks.
  email: { name: 'E-mail', link: 'mailto:?subject={title}&body={description}%0D%0A%0D%0A{url}' },
  // The "&" is for iPhones, which read no first parameter; others pass over it.
  sms: { name: 'SMS', link: 'sms:?&body={title} {url}', isApp: true },
} as const satisfies Readonly<Record<string, Network>>;

/** The name of a network in the configuration and in statistics. */
export type NetworkId = keyof typeof networks;

/** Other names under which configurations know networks. */
const otherNames: Readonly<Record<string, NetworkId>> = { twitter: 'x', odnoklassniki: 'ok', mail: 'email' };

/** The network that a configuration names, ignoring case; undefined for an unknown one. */
export function networkOf(name: string): NetworkId | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(networks, lower)) return lower as NetworkId;
  return Object.hasOwn(otherNames, lower) ? otherNames[lower] : undefined;
}

/** The usual share networks by language, the most usual first; phones show the first four. */
export const usualNetworks: Readonly<Record<Locale, readonly NetworkId[]>> = {
  en: ['facebook', 'x', 'pinterest', 'reddit', 'whatsapp', 'email'],
  ar: ['whatsapp', 'x', 'telegram', 'facebook', 'pinterest', 'email'],
  pl: ['facebook', 'whatsapp', 'x', 'pinterest', 'telegram', 'email'],
  tr: ['whatsapp', 'x', 'telegram', 'facebook', 'pinterest', 'email'],
  it: ['whatsapp', 'facebook', 'telegram', 'x', 'pinterest', 'email'],
  bg: ['viber', 'facebook', 'whatsapp', 'telegram', 'x', 'email'],
  ru: ['vk', 'telegram', 'ok', 'whatsapp', 'viber', 'email'],
  hu: ['facebook', 'viber', 'whatsapp', 'x', 'pinterest', 'email'],
  es: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  de: ['whatsapp', 'facebook', 'telegram', 'x', 'pinterest', 'email'],
  pt: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  sr: ['viber', 'facebook', 'whatsapp', 'telegram', 'x', 'email'],
  sv: ['facebook', 'whatsapp', 'x', 'reddit', 'pinterest', 'email'],
  fr: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  el: ['viber', 'facebook', 'whatsapp', 'x', 'pinterest', 'email'],
  nl: ['whatsapp', 'facebook', 'x', 'telegram', 'pinterest', 'email'],
  da: ['facebook', 'whatsapp', 'x', 'reddit', 'pinterest', 'email'],
  tl: ['facebook', 'viber', 'x', 'whatsapp', 'pinterest', 'email'],
  th: ['line', 'facebook', 'x', 'threads', 'pinterest', 'email'],
  hi: ['whatsapp', 'telegram', 'facebook', 'x', 'pinterest', 'email'],
  id: ['whatsapp', 'telegram', 'facebook', 'x', 'line', 'email'],
  ko: ['naver', 'band', 'x', 'facebook', 'line', 'email'],
  zh: ['weibo', 'qzone', 'x', 'telegram', 'facebook', 'email'],
  ja: ['line', 'x', 'hatena', 'facebook', 'threads', 'email'],
};

/** The networks, and any other one, drawn by us on the grid and with the pen of the site's icons (`ui/icon.tsx`). */
export const outlines: Readonly<Record<NetworkId | 'other', string>> = {
  band: 'M7.500 4v11.500a4.500 4.500 0 1 0 4.500-4.500c-2 0-3.500 1-4.500 3',
  bluesky:
    'M12 11c-1.500-3-4.500-5.500-6.500-6-1.500-.4-2 .5-2 2 0 3 .7 6.500 4.500 6.500-3 .5-3.500 2-2 3.700 2.500 2.800 5 1.300 6-1.700 1 3 3.500 4.500 6 1.700 1.500-1.700 1-3.200-2-3.700 3.800 0 4.500-3.500 4.500-6.500 0-1.500-.5-2.400-2-2-2 .5-5 3-6.500 6Z',
  email: 'M3.500 6h17v12.500h-17zm.5.500 8 6.500 8-6.500',
  facebook: 'M16.500 4H15a3.500 3.500 0 0 0-3.500 3.500V20.500M8 11h7.500',
  hatena: 'M6 12V5h4c3.800 0 3.800 7 0 7H6v7h4.500c4.500 0 4.500-7 0-7M18.500 5v8.500m0 5v.1',
  line: 'M12 4c5 0 8.500 3 8.500 6.800 0 4-5 7.200-8.500 9.700.4-1.500.3-2.600 0-2.900-5 0-8.500-3-8.500-6.800S7 4 12 4Zm-1.500 4v5.500h3.500',
  linkedin: 'M5.500 10v9m0-13.500v.1M10 19v-9m0 4c0-2.500 1.500-4 4-4s4 1.500 4 4v5',
  naver: 'M6 19V5l12 14V5',
  ok: 'M12 3.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7ZM7.500 13c2.800 1.900 6.200 1.900 9 0M12 14.500l-4 6m4-6 4 6',
  pinterest:
    'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM10 19.500l2-10m-1.300 5c2.200 1.700 4.900.1 4.900-3.100 0-2.300-1.700-3.700-3.900-3.700-2.300 0-3.700 1.600-3.700 3.500 0 .9.200 1.500.7 2',
  quora:
    'M12 4a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15Zm.5 10.500c2 0 2.300 5.500 5.500 5.500 1 0 1.500-.7 1.500-1.500',
  qzone: 'm12 3.500 2.600 5.600 6.100.7-4.500 4.200 1.200 6-5.400-3-5.400 3 1.200-6-4.500-4.200 6.100-.7z',
  reddit:
    'M12 8.500c4.200 0 7.500 2.500 7.500 5.500s-3.300 5.500-7.500 5.500S4.500 17 4.500 14s3.300-5.500 7.500-5.500Zm0 0 1-4.500 3.500 1M9 13v.1m6-.1v.1m-6 3.200c1.800 1.200 4.200 1.200 6 0m3.200-5.800a1.700 1.700 0 1 1 1.400 2.600M5.800 10.500a1.700 1.700 0 1 0-1.400 2.600',
  other: 'M13 5h6v6m0-6-8 8M9 6H5v13h13v-4',
  sms: 'M4 5h16v11.500h-9L7 20v-3.500H4zm4.500 5.700v.1m3.500-.1v.1m3.500-.1v.1',
  telegram: 'm20.500 4.500-17 6.500 5 2 2 6 3-3.800 4.500 3.300zM8.500 13l7.500-5-5 6.500',
  threads:
    'M15.500 12a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0Zm0-3.500V13c0 1.500.8 2.500 2 2.500 1.800 0 3-1.700 3-4a8.500 8.500 0 1 0-3.500 7',
  tumblr: 'M10 4v11.500c0 2.700 1.800 4.500 4.500 4.500H17M7 8.500h9',
  viber:
    'M12 3.500c5.500 0 8 2.200 8 7s-2.500 7-8 7h-1.600l-2.900 3v-3.700C5.200 15.700 4 13.700 4 10.500c0-4.800 2.500-7 8-7Zm-3 4c-.3 3.500 2.500 6.500 6 6.500m-2.500-7a4 4 0 0 1 3.500 3.500',
  vk: 'M4 7.500c.5 6 3.500 9.500 8.500 9.500V7.500m0 4.700c2.500-.2 4.300-2 5.500-4.700m-5.500 4.700c3.500 0 5.500 1.900 6.500 4.800',
  weibo:
    'M10.500 9.500c-4.500 0-7 2.500-7 5S6 19 10 19s7-2 7-4.500c0-1.800-1.300-2.500-2.500-2.800.6-1.800-.5-2.700-4-.7m-.7 2a2.200 2.200 0 1 0 .1 4.400 2.200 2.200 0 0 0-.1-4.400Zm5.700-4.500a2.300 2.300 0 0 1 2.600 2.800M15.500 5a5.500 5.500 0 0 1 5.500 6.500',
  whatsapp:
    'm4 20 1.200-4a8 8 0 1 1 3 3zM9 8.500c0 3.500 3 6.500 6.500 6.500l1-1.800-2.200-1-1 1c-1.200-.5-2-1.300-2.500-2.500l1-1-1-2.200z',
  x: 'M4.500 4.500h3.800l11.200 15h-3.800zm14.500 0-6 6.500m-2.300 2.200L5 19.500',
  xing: 'M6 7.500 8.500 12 5 17.500M18.500 4 12 14l4 7',
};
