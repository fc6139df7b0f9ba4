import type { Locale } from '../../../i18n/languages.ts';
import type { DownloadOption, ErrorResponse, ReadyResponse } from '../../api.ts';
import { type Download, fileKey, hasArrived, type RequestedFile } from './downloads.ts';
import { readResponse, resolveLink } from './resolve-link.ts';

/** A file that can be fetched now, or why it cannot. */
export type Readiness =
  | {
      readonly href: string;
      readonly name: string;
    }
  | ErrorResponse['error'];

/** The same address, with error messages in the page's language. */
export const inLanguage = (href: string, locale: Locale) =>
  `${href}${href.includes('?') ? '&' : '?'}locale=${locale}`;

/** Calls about a file are paths below its address, before the query. */
const readyAddress = (href: string) => href.replace(/(?=\?|$)/, '/ready');

/** Whether another backend has the file: browsers navigate there, and this page cannot call it. */
export const isElsewhere = ({ href }: DownloadOption) => !href.startsWith('/');

/** Fresh addresses that replaced expired ones on the page, by {@link fileKey}. */
const renewed = new Map<string, DownloadOption>();

/** The option with its current address. */
export const presentOption = (file: RequestedFile) => renewed.get(fileKey(file)) ?? file.option;

/** Drops the fresh addresses of posts that are no longer shown. */
export function forgetRenewed(postId: string): void {
  for (const key of renewed.keys()) if (key.startsWith(`${postId}/`)) renewed.delete(key);
}

async function requestReady(
  href: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<ReadyResponse | ErrorResponse> {
  const response = await fetch(inLanguage(readyAddress(href), locale), { signal });
  return readResponse<ReadyResponse>(response);
}

/** Resolves the post once more, for new addresses of all its files. @returns why that failed, or null */
async function renew({ post }: RequestedFile, locale: Locale, signal: AbortSignal) {
  const response = await resolveLink(post.url, locale, signal);
  if ('error' in response) return response.error;
  for (const option of response.result.options) renewed.set(fileKey({ post, option }), option);
  return null;
}

/**
 * Waits until the server can deliver a file: for a video a moment, for a sound until its conversion starts. Silently
 * renews addresses that expired while the page was open.
 * @param begun called with the option whose progress can be followed now
 * @throws TypeError or SyntaxError when the server is unreachable or its response unreadable; the signal's reason
 */
export async function whenReady(
  file: RequestedFile,
  locale: Locale,
  signal: AbortSignal,
  begun: (option: DownloadOption) => void,
): Promise<Readiness> {
  for (let attempt = 1; ; attempt += 1) {
    const option = presentOption(file);
    begun(option);
    if (isElsewhere(option)) return { href: inLanguage(option.href, locale), name: '' };
    const response = await requestReady(option.href, locale, signal);
    if ('result' in response) return { href: inLanguage(option.href, locale), name: response.result.name };
    if (response.error.key !== 'ticket_expired' || attempt > 1) return response.error;
    const failure = await renew(file, locale, signal);
    if (failure !== null) return failure;
  }
}

/** Whether the visitor has the file, as far as this site knows: a file of another server counts once it has begun. */
export const isSaved = (download: Download): boolean =>
  hasArrived(download) || (download.phase === 'started' && isElsewhere(download.file.option));
