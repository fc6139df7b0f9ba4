import type { Report } from '../to-reports.ts';

/** The known event names. Sums accept only these: forged ones must not fill them. */
const names: ReadonlySet<string> = new Set([
  'page_view',
  'page_scroll',
  'download',
  'buy_now',
  'subscribe',
  'guide_jump',
  'b_banner',
  'close_b_banner',
  'share',
  'share_bar',
  'close_share_bar',
  'exposure',
  'hover',
]);

/** The known labels: reading milestones, kinds of pages, formats, `p` for programs to install, and share networks. */
const labels: ReadonlySet<string> = new Set([
  ...['20', '40', '60', '80', '100'],
  ...['ks', 'kb', 'p', 'leave'],
  ...['b_banner', 'close_b_banner', 'buy_now', 'subscribe', 'guide_jump', 'download'],
  ...['share_bar', 'close_share_bar', 'sheet', 'copy', 'email', 'sms'],
  ...['facebook', 'x', 'pinterest', 'reddit', 'quora', 'whatsapp', 'telegram', 'viber', 'line', 'vk', 'ok'],
  ...['linkedin', 'xing', 'tumblr', 'threads', 'bluesky', 'hatena', 'naver', 'band', 'weibo', 'qzone'],
  ...['mp4', 'mp4-hd', 'mp4-slide', 'mp4-slideshow', 'mp3', 'm4a', 'jpg', 'zip'],
]);

/** The name of a report in the sums. */
export function eventName({ mode, payload: { event = '' } }: Report): string {
  if (mode === 'page_view') return 'page_view';
  return names.has(event) ? event : 'other';
}

/** Further parts of its sum: the label, and for files the outcome of saving. */
export function eventDetail({ payload: { event_label = '', file } }: Report): string {
  const label = labels.has(event_label) ? event_label : '';
  return file === undefined ? label : `${label} ${file.outcome === 'success' ? 'success' : 'failure'}`.trim();
}
