import type { Locale } from '../../i18n/languages.ts';

/** A picture as a page's head names it. */
export type SharePicture = ReturnType<typeof sharePicture>;

/** The size that networks show uncropped, in pixels. */
export const shareSize = { width: 1200, height: 630 } as const;

/** FNV-1a, 32 bits: distinguishes texts, without any security. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * The picture for sharing a page; `GET /share/…` draws it.
 * @param page as in addresses: empty for the home page, a downloader page, or an article's slug
 * @param about its text and further content
 */
export function sharePicture(
  locale: Locale,
  page: string,
  { title, name, cover = '' }: { readonly title: string; readonly name: string; readonly cover?: string },
) {
  const path = `/share/${locale}${page === '' ? '' : `/${page}`}.png`;
  // The query changes with the picture's content, so that no network shows an old one.
  return { path: `${path}?v=${digest([name, title, cover].join('\n'))}`, ...shareSize, alt: title };
}
