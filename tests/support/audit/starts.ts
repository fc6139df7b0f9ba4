import { featurePages } from '../../../src/app/parts/read-site-configuration.ts';
import { staticPages, variantAddress } from '../../../src/site/configuration/static-pages.ts';

/** The first addresses of an audit: every static and downloader page in both its layouts, in every language. */
export function auditStarts(locales: readonly string[], downloaders: readonly string[]): string[] {
  const shown = [...staticPages.filter((page) => page !== '404'), ...featurePages];
  const variants = shown.map(variantAddress).filter((address) => address.endsWith('-new1'));
  const pages = ['', ...downloaders, ...shown, ...variants];
  return locales.flatMap((locale) =>
    pages.map((page) => `/${[locale === 'en' ? '' : locale, page].filter((part) => part !== '').join('/')}`),
  );
}

/** Links that an audit skips: files, feeds, and examples that would be resolved. */
export function isAudited(path: string): boolean {
  const { pathname, searchParams } = new URL(path, 'https://site.example');
  return !searchParams.has('url') && !pathname.startsWith('/api/');
}
