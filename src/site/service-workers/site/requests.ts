import type { OfflineLanguage, SiteWorkerSettings } from './settings.ts';

/**
 * How the worker handles a request: not (null), or as a file of the build, a page, its data, the manifest, or what a phone
 * shares.
 */
export type RequestKind = 'asset' | 'page' | 'data' | 'manifest' | 'shared' | null;

/** API calls, file downloads, and the operator's desk. */
const neverCached = /^\/(?:api|cookie_set|operator)(?:\/|$)/;

/** A last part with an ending is a file, or a feed: no page. */
const isFile = /\.[a-z0-9]+$/i;

type Asked = Pick<Request, 'url' | 'method' | 'mode'>;

/** @param origin the worker's own */
export function kindOf({ url, method, mode }: Asked, origin: string): RequestKind {
  const { origin: asked, pathname } = new URL(url);
  if (asked !== origin) return null;
  if (method === 'POST' && mode === 'navigate' && pathname.endsWith('/many-posts')) return 'shared';
  if (method !== 'GET') return null;
  if (pathname.startsWith('/_app/')) return 'asset';
  if (neverCached.test(pathname)) return null;
  if (pathname.endsWith('.data')) return 'data';
  if (pathname.endsWith('/manifest.webmanifest')) return 'manifest';
  return mode === 'navigate' && !isFile.test(pathname) ? 'page' : null;
}

/** The language of an address: `[/tr][/{lang}]/{page}`. */
export function languageOf(
  pathname: string,
  { languages, defaultLocale }: Pick<SiteWorkerSettings, 'languages' | 'defaultLocale'>,
): OfflineLanguage {
  const [first = '', second = ''] = pathname.split('/').filter(Boolean);
  const named = [first === 'tr' ? second : '', first].find((name) => Object.hasOwn(languages, name));
  const language = languages[named ?? defaultLocale];
  if (language === undefined) throw new Error('The default language is none of the site');
  return language;
}

/** Parameters that hand a text to the tool: its own `url`, and what a phone's share sheet sends. */
const textNames = ['url', 'text', 'title'];

/** The text that an address or a form passes to the tool; empty when there is none. */
export function textIn(fields: Pick<URLSearchParams | FormData, 'get'>): string {
  const parts = textNames.map((name) => String(fields.get(name) ?? '').trim());
  return parts[0] === '' && parts[1] === '' ? '' : parts.filter((part) => part !== '').join(' ');
}
