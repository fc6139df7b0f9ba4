import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadMessages } from '../../i18n/catalogue.ts';
import { type Locale, languages } from '../../i18n/languages.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { linkTo } from '../../site/addressing/addresses.ts';
import { siteHas } from '../../site/addressing/site-pages.ts';
import { themeScript } from '../../site/browser/device/theme.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import type { OfflineLanguage, SiteWorkerSettings } from '../../site/service-workers/site/settings.ts';
import { commonHeaders, contentSecurityPolicy } from '../http/responses/security-headers.ts';
import { noneOwn, sendResponse } from '../http/responses/send.ts';
import type { ServerDependencies, SiteShell } from '../instance/parts.ts';

interface WorkerOptions {
  /** Origins that it may connect to, besides this site. */
  readonly connect?: readonly string[];
  /** Sources of code that it may run besides its own script, as in `script-src`. */
  readonly run?: readonly string[];
  /** For a large script: it has an ETag, so that browsers fetch it again only when it has changed. */
  readonly isRevalidated?: boolean;
}

/** Sends a worker's script. Browsers check for new versions, so no copy is used unchecked. */
export function sendWorker(
  script: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { connect = [], run = [], isRevalidated = false }: WorkerOptions = {},
): FastifyReply {
  const directives = ["default-src 'none'", ["connect-src 'self'", ...connect].join(' ')];
  if (run.length > 0) directives.push(`script-src ${run.join(' ')}`);
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': directives.join('; '),
    'cache-control': isRevalidated ? 'public, no-cache' : 'no-cache',
  };
  return sendResponse({ status: 200, headers, body: Buffer.from(script) }, noneOwn, request, reply);
}

function offlineLanguage(locale: Locale, configuration: SiteConfiguration): OfflineLanguage {
  const messages = (['offline', 'tool', 'common'] as const).map((page) => loadMessages(locale, page));
  const t = createTranslate<'offline' | 'tool' | 'common'>(locale, Object.assign({}, ...messages));
  const { lang, direction } = languages[locale];
  return {
    lang,
    direction,
    home: linkTo(configuration, locale, ''),
    manyPosts: siteHas(configuration, 'many-posts', locale)
      ? linkTo(configuration, locale, 'many-posts')
      : null,
    texts: {
      title: t('offline.title'),
      page: t('offline.page'),
      link: t('offline.link'),
      retry: t('failure.retry'),
      toHome: t('error.home'),
      label: t('link.label'),
      placeholder: t('link.placeholder'),
      submit: t('link.submit'),
    },
  };
}

const hashOf = (script: string) => `'sha256-${hash('sha256', script, 'base64')}'`;

function siteWorker(
  { version, assets, scripts }: SiteShell,
  configuration: SiteConfiguration,
  isSecure: boolean,
): string {
  const script = scripts.offlinePage.trim();
  const settings: SiteWorkerSettings = {
    version,
    assets,
    languages: Object.fromEntries(
      configuration.locales.map((locale) => [locale, offlineLanguage(locale, configuration)]),
    ),
    defaultLocale: configuration.default_locale,
    offlinePage: {
      themeScript,
      script,
      styles: assets.filter((path) => path.endsWith('.css')),
      headers: {
        ...commonHeaders(isSecure),
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy([themeScript, script].map(hashOf).join(' ')),
      },
    },
  };
  return `const workerSettings=${JSON.stringify(settings)};\n${scripts.site}`;
}

/** `/sw.js`, the service worker of the site. When it is switched off, a worker that removes itself from devices. */
export function serviceWorkerEndpoints(
  app: FastifyInstance,
  { configuration, origin, site: { shell }, hasServiceWorker }: ServerDependencies,
): void {
  if (shell === undefined) return;
  const make = () =>
    hasServiceWorker
      ? siteWorker(shell, configuration, origin.startsWith('https:'))
      : shell.scripts.withdrawn;
  // Built on demand and not at the start: it contains words of every language.
  let script: string | undefined;
  app.get('/sw.js', (request, reply) => {
    script ??= make();
    return sendWorker(script, request, reply);
  });
}
