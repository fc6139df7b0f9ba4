import type { FastifyInstance } from 'fastify';
import { translateTo } from '../../i18n/catalogue.ts';
import { type Locale, languages } from '../../i18n/languages.ts';
import { fileBase, pathFor } from '../../site/addressing/addresses.ts';
import { isForSound, siteHas } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { type SharedText, sendText, sharedText } from '../http/responses/send.ts';
import { colour } from '../instance/palette.ts';
import type { ServerDependencies } from '../instance/parts.ts';

/** Pictures of the application itself. */
const icons = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
  // Systems cut it into their own shape.
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  // Systems give it their own colour.
  { src: '/icon-monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
] as const;

/** Screenshots that systems show before installation; in English, like the pictured pages. */
const screenshots = [
  { src: '/screenshot-wide.webp', sizes: '1280x800', type: 'image/webp', form_factor: 'wide' },
  { src: '/screenshot-narrow.webp', sizes: '720x1280', type: 'image/webp', form_factor: 'narrow' },
] as const;

/** Systems show four at most. */
const mostShortcuts = 4;

/** The application's name: the brand, or the domain's own name, "Clipferry" of clipferry.example. */
function shortName({ brand, domain }: SiteConfiguration): string {
  if (brand !== domain) return brand;
  const [label = domain] = domain.split('.', 1);
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The tool pages that a language has, each one press away from the application's icon. */
function shortcuts(configuration: SiteConfiguration, locale: Locale) {
  const t = translateTo(locale, 'common');
  return [...configuration.index_modules.values()]
    .filter(({ page }) => siteHas(configuration, page, locale))
    .slice(0, mostShortcuts)
    .map(({ page, text }) => ({
      // The configuration names the message; `npm run check` cannot know its value.
      name: t(`menu.${text}` as Parameters<typeof t>[0]),
      url: pathFor(configuration, locale, page),
      icons: [
        {
          src: `/shortcut-${isForSound(configuration, page) ? 'sound' : 'video'}.png`,
          sizes: '192x192',
          type: 'image/png',
        },
      ],
    }));
}

/** What phones may share of an export. Some name types, some endings. */
const sharedTypes = [
  ...['application/zip', 'application/json', 'text/plain', 'text/csv', 'text/html'],
  ...['.zip', '.json', '.txt', '.csv', '.html'],
];

/** Where shared texts go, and files where the service worker keeps them on the device. */
function shareTarget({ configuration, takesFiles }: ManifestSite, locale: Locale): object {
  const params = { title: 'title', text: 'text', url: 'url' };
  if (!takesFiles || !siteHas(configuration, 'many-posts', locale))
    return {
      action: pathFor(configuration, locale, ''),
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params,
    };
  return {
    action: pathFor(configuration, locale, 'many-posts'),
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { ...params, files: [{ name: 'files', accept: sharedTypes }] },
  };
}

/** What a manifest says of its instance. */
interface ManifestSite {
  readonly configuration: SiteConfiguration;
  /** Whether the icon is the site's own: the pictures of the product's are left out then. */
  readonly hasIcon: boolean;
  /** Whether a service worker asks for it, which takes shared files. */
  readonly takesFiles: boolean;
}

/** The site as an application, in a language (W3C Web Application Manifest, with Share Target). */
function manifestOf(site: ManifestSite, locale: Locale): object {
  const { configuration, hasIcon } = site;
  const home = pathFor(configuration, locale, '');
  const { lang, direction } = languages[locale];
  const name = shortName(configuration);
  return {
    // One application, regardless of the language it was installed in.
    id: '/',
    scope: '/',
    start_url: home,
    lang,
    dir: direction,
    name: `${name} · ${translateTo(locale, 'common')('menu.tiktok-downloader')}`,
    short_name: name,
    description: translateTo(locale, 'home')('head.description'),
    categories: ['multimedia', 'utilities'],
    display: 'standalone',
    // On systems with window title bars, the page's header replaces the bar: window-controls.css.
    display_override: ['window-controls-overlay', 'standalone'],
    background_color: colour('sea'),
    theme_color: colour('sea'),
    icons: hasIcon ? icons.filter(({ purpose }) => purpose === 'any') : icons,
    ...(locale === 'en' &&
      !hasIcon && {
        screenshots: screenshots.map((one) => ({ ...one, label: translateTo(locale, 'home')('hero.title') })),
      }),
    share_target: shareTarget(site, locale),
    shortcuts: shortcuts(configuration, locale),
  };
}

/**
 * `/manifest.webmanifest` of each language, beside its pages. With `?files` it is the one that the service worker asks for
 * in its place: an application whose service worker is not there would send shared files to this server.
 */
export function manifests(
  app: FastifyInstance,
  {
    configuration,
    own,
    hasServiceWorker,
  }: Pick<ServerDependencies, 'configuration' | 'own' | 'hasServiceWorker'>,
): void {
  const type = 'application/manifest+json; charset=utf-8';
  for (const locale of configuration.locales) {
    const texts = new Map<boolean, SharedText>();
    app.get(`${fileBase(configuration, locale)}manifest.webmanifest`, (request, reply) => {
      const takesFiles = hasServiceWorker && Object.hasOwn(request.query as object, 'files');
      const site = { configuration, hasIcon: own.hasIcon, takesFiles };
      const text = texts.get(takesFiles) ?? sharedText(JSON.stringify(manifestOf(site, locale)));
      texts.set(takesFiles, text);
      return sendText(text, { type, maxAgeS: 3600 }, request, reply);
    });
  }
}
