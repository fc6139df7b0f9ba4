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
