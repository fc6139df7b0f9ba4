import { z } from 'zod';

/** A page's path without language. */
const pagePath = z
  .string()
  .regex(/^\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\/?)*$/, 'must be a path in lower case, like "/contact"');

/** Components of a page cache key besides the address. */
const keyParts = ['locale', 'device', 'domain', 'os', 'webp', 'browser', 'login', 'ab'] as const;

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
  /** Pages that have moved for good, to the page where they are found now. */
  route_redirects: z
    .record(pagePath, pagePath)
    .default({ '/video-converter': '/', '/video-downloader': '/' }),
  page_cache: z
    .strictObject({
      /** Request properties that a cached page may depend on besides its address; its key begins with them. */
      key_format: keyFormat.prefault('locale.device'),
      /** Query parameters that no page looks at, besides `source` and `medium`. */
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
        ]),
      /** Paths that are never cached; those that end in "/" include everything below. */
      excluded_paths: z.array(pagePath).default(['/checkout', '/my-account/']),
      /** Seconds after which a page is rendered again. */
      expire_s: z.int().min(1).max(86_400).default(600),
      /** Whether a proxy or CDN in front may keep pages too, for as long as this site does. */
      shared: z.boolean().default(false),
      /** Room in the memory of one instance. */
      max_mb: z.int().min(1).max(4096).default(64),
      /** Tells sites apart that share one cache host. */
      domain: z.hostname().optional(),
    })
    .prefault({}),
  /** Where to report vulnerabilities, for security.txt; the contact page by default. */
  security_contact: z.url({ protocol: /^(?:https|mailto)$/ }).optional(),
  /** Lines of ads.txt. */
  ads_txt: z.array(z.string().regex(/^[\x20-\x7e]+$/, 'must be one printable line')).default([]),
};

const servingSchema = z.object(servingFields);
type ServingFile = z.infer<typeof servingSchema>;

/** A component of a key format. */
export type KeyPart = (typeof keyParts)[number];

/** The checked serving settings. */
export interface Serving {
  /** Names of the route steps in their order, where it is not the usual one. */
  readonly steps: readonly string[] | undefined;
  /** By page, where it is found now; both without slashes at their ends. */
  readonly redirects: ReadonlyMap<string, string>;
  readonly pageCache: {
    readonly keyFormat: readonly KeyPart[];
    readonly ignoredParameters: ReadonlySet<string>;
    /** Each with a slash at its end. */
    readonly excludedPaths: readonly string[];
    readonly expireS: number;
    /** Whether a proxy or CDN in front may keep pages too. */
    readonly isShared: boolean;
    readonly maxBytes: number;
    readonly domain: string | undefined;
  };
  readonly securityContact: string | undefined;
  readonly adsTxt: readonly string[];
}

const bare = (path: string) => path.replace(/^\/|\/$/g, '');

/** The file's fields as the server uses them. */
export function toServing(file: ServingFile): Serving {
  const { key_format, ignored_parameters, excluded_paths, expire_s, shared, max_mb, domain } =
    file.page_cache;
  return {
    steps: file.route_steps,
    redirects: new Map(Object.entries(file.route_redirects).map(([from, to]) => [bare(from), bare(to)])),
    pageCache: {
      keyFormat: key_format,
      ignoredParameters: new Set(['source', 'medium', ...ignored_parameters]),
      excludedPaths: excluded_paths.map((path) => path.replace(/\/?$/, '/')),
      expireS: expire_s,
      isShared: shared,
      maxBytes: max_mb * 1024 * 1024,
      domain,
    },
    securityContact: file.security_contact,
    adsTxt: file.ads_txt,
  };
}
