import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { parseAddress } from '../../../site/addressing/addresses.ts';
import { parseSiteConfiguration, type SiteConfiguration } from '../../../site/configuration/configuration.ts';
import { type PageExchange, pagePath } from '../exchange.ts';

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
export function exchangeFor(target: string, changes: Partial<PageExchange> = {}): PageExchange {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return {
    id: '00000000-0000-4000-8000-000000000000',
    method: 'GET',
    kind: 'document',
    path,
    search: at < 0 ? '' : target.slice(at),
    address: parseAddress(pagePath(path, changes.kind ?? 'document'), site),
    headers: {},
    body: undefined,
    refusal: null,
    host: 'site.example',
    isSecure: true,
    visitor: { key: 'visitor', block: 'block' },
    networkAddress: '203.0.113.7',
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }) as FastifyBaseLogger,
    cookies: [],
    buckets: {},
    answerHeaders: {},
    facts: null,
    audience: {},
    services: null,
    ...changes,
  };
}
