import { z } from 'zod';

/** A page's path without language. */
const pagePath = z
  .string()
  .regex(/^\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\/?)*$/, 'must be a path in lower case, like "/contact"');

const bare = (path: string) => path.replace(/^\/|\/$/g, '');

/** Components of a page cache key besides the address. */
const keyParts = ['locale', 'device', 'domain', 'os', 'webp', 'browser', 'login', 'ab'] as const;

/** A component of a key format. */
export type KeyPart = (typeof keyParts)[number];

const keyFormat = z
  .string()
  .transform((text) => text.split('.'))
  .pipe(z.array(z.enum(keyParts)).min(1))
  .refine((parts) => parts.includes('locale'), 'must name "locale"')
  .refine((parts) => new Set(parts).size === parts.length, 'names something twice');

const parameterName = z.string().regex(/^[\w.-]{1,60}$/, 'must be the name of a query parameter');

/** The fields of the site configuration file that say how pages are served. */
export const servingFields = {
  /** Names of the steps that a page's request passes, in order (`server/pipeline/steps.ts`). */
  route_steps: z
    .array(z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be a name in lower case, like "page-cache"'))
    .refine((names) => new Set(names).size === names.length, 'names a step twice')
    .refine(
      (names) =>
        names.includes('injection-store') && names.indexOf('injection-store') < names.indexOf('route'),
      'must name "route", and "injection-store" before it',
    )
    .optional(),
  /** Pages that have moved for good, to the page where they are found now; both without slashes at their ends. */
  route_redirects: z
    .record(pagePath, pagePath)
    .default({ '/video-converter': '/', '/video-downloader': '/' })
    .transform((paths) => new Map(Object.entries(paths).map(([from, to]) => [bare(from), bare(to)]))),
  page_cache: z
    .strictObject({
      /** Request properties that a cached page may depend on besides its address; its key begins with them. */
      key_format: keyFormat.prefault('locale.device'),
      /** Query parameters that no page reads, besides `source` and `medium`. */
      ignored_parameters: z
        .array(parameterName)
        .default([
          'utm_source',
          'utm_medium',
          'utm_campaign',
          'utm_term',
          'utm_content',
          'utm_id',
          'fbclid',
          'gclid',
          'msclkid',
          'ttclid',
        ])
        .transform((names): ReadonlySet<string> => new Set(['source', 'medium', ...names])),
      /** Paths that are never cached, with everything below. */
      excluded_paths: z
        .array(pagePath.transform((path) => path.replace(/\/?$/, '/')))
        .default(['/checkout/', '/my-account/']),
      /** Seconds after which a page is rendered again. */
      expire_s: z.int().min(1).max(86_400).default(600),
      /** Whether a proxy or CDN in front may keep pages too, for as long as this site does. */
      shared: z.boolean().default(false),
      /** Room in the memory of one instance. */
      max_mb: z.int().min(1).max(4096).default(64),
      /** Distinguishes sites that share one page cache server. */
      domain: z.hostname().optional(),
    })
    .prefault({}),
  /** Where to report vulnerabilities, for security.txt; the contact page by default. */
  security_contact: z.url({ protocol: /^(?:https|mailto)$/ }).optional(),
  /** Lines of ads.txt. */
  ads_txt: z.array(z.string().regex(/^[\x20-\x7e]+$/, 'must be one printable line')).default([]),
};
