import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { parseSiteConfiguration } from '../../../app/parts/read-site-configuration.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { type PageRequest, RouteContext } from '../route-context.ts';

/** A small site in English, German, Turkish, Filipino and Chinese. */
export function siteFor(fields: Record<string, unknown> = {}): SiteConfiguration {
  return parseSiteConfiguration({
    domain: 'site.example',
    locales: ['en', 'de', 'tr', 'tl', 'zh'],
    default_locale: 'en',
    menus_info: [],
    index_info: {
      lang_file: 'home',
      text: 'home',
      download_info: { example_url: 'https://www.tiktok.com/@a/video/1', download_btns: ['mp4'] },
    },
    index_modules: [],
    ...fields,
  });
}

const site = siteFor();

/** A visitor's request as the steps see it. */
export function contextFor(
  target: string,
  changes: Partial<RouteContext> = {},
  ip = '203.0.113.7',
): RouteContext {
  const request: PageRequest = {
    id: '00000000-0000-4000-8000-000000000000',
    method: 'GET',
    url: target,
    headers: {},
    host: 'site.example',
    isSecure: true,
    visitor: { key: 'visitor', block: 'block' },
    ip,
    disconnected: new AbortController().signal,
    log: pino({ level: 'silent' }) as FastifyBaseLogger,
  };
  return Object.assign(new RouteContext(request, site), changes);
}
