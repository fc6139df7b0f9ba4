import type { Report } from '../report.ts';

/** What browsers report. Sums know these names alone: what is made up must not fill them. */
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

/**
 * The same for labels: how far a page was read, kinds of pages, formats, `p` for programs to install, and where a page
 * was passed on.
 */
const labels: ReadonlySet<string> = new Set([
  ...['20', '40', '60', '80', '100'],
  ...['ks', 'kb', 'p', 'leave'],
  ...['b_banner', 'close_b_banner', 'buy_now', 'subscribe', 'guide_jump', 'download'],
  ...['share_bar', 'close_share_bar', 'sheet', 'copy', 'email', 'sms'],
  ...['facebook', 'x', 'pinterest', 'reddit', 'quora', 'whatsapp', 'telegram', 'viber', 'line', 'vk', 'ok'],
  ...['linkedin', 'xing', 'tumblr', 'threads', 'bluesky', 'hatena', 'naver', 'band', 'weibo', 'qzone'],
  ...['mp4', 'mp4-hd', 'mp4-slide', 'mp4-slideshow', 'mp3', 'm4a', 'jpg', 'zip'],
]);

/** Under which name a report stands in the sums. */
export function eventName({ mode, payload: { event = '' } }: Report): string {
  if (mode === 'page_view') return 'page_view';
  return names.has(event) ? event : 'other';
}

/** What its sum says besides: the label, and of files how saving them ended. */
export function eventDetail({ payload: { event_label = '', file } }: Report): string {
  const label = labels.has(event_label) ? event_label : '';
  return file === undefined ? label : `${label} ${file.outcome === 'success' ? 'success' : 'failure'}`.trim();
}
