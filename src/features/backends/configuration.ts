import { z } from 'zod';
import { defineVariables, webAddress } from '../../process/variables.ts';

/** The source of the lists of articles, on this machine. */
export const contentVariables = defineVariables({ CONTENT_URL: webAddress.optional() });

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

/** The address in a text, null for one that calls and files must not go to. */
export function safeAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    return null;
  // Without a password and a query: what goes with a call is in `extraParams`.
  return url.href === url.origin + url.pathname ? url : null;
}

export const originMessage = 'must be an origin like https://backend.example (http:// on this machine alone)';

/** An allowed origin in canonical form. */
export const isSafeOrigin = (text: string): boolean => safeAddress(text)?.origin === text;

const origin = z.string().refine(isSafeOrigin, originMessage);

/** The backends' purposes, in the specification's order. */
export const baseNames = ['main', 'video', 'second_video', 'short_video', 'audio'] as const;

/** A backend that depends on the host name. */
export type BaseName = (typeof baseNames)[number];

/** The sets of backends. */
export const tiers = ['production', 'pre_production'] as const;

/** The set of backends in use. */
export type Tier = (typeof tiers)[number];

const base = z.strictObject({ production: origin.optional(), pre_production: origin.optional() });

/** The field of the site configuration file that names the backends; what is left out is this site itself. */
export const backendsField = z
  .strictObject({
    main: base.default({}),
    video: base.default({}),
    second_video: base.default({}),
    /** `default` is used when a set names none, and after the set's own has failed. */
    short_video: base.extend({ default: origin.optional() }).default({}),
    audio: base.default({}),
  })
  .prefault({});

/** The backends of the site configuration, checked. */
export type Backends = Readonly<z.infer<typeof backendsField>>;

/** "test", and "local" as it is mistyped: the names of machines on which a site is tried. */
const preProductionHost = /test|lo(?:acl|cla|col|cl|cahost)|lcoal/i;

/** The backends of a site under this host name. */
export const tierOf = (host: string): Tier =>
  preProductionHost.test(host) ? 'pre_production' : 'production';

/** The names under which visitors find the site. */
interface SiteNames {
  /** The public one. */
  readonly origin: string;
  readonly configuration: { readonly domain: string; readonly hosts: readonly string[] };
}

/**
 * The backends for a visitor. Clients may send any `Host`: one that is not the site's counts as the public one.
 * @param host the requested one, with its port
 */
export function tierFor(host: string, { origin, configuration: { domain, hosts } }: SiteNames): Tier {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const isOwn = name === domain.toLowerCase() || hosts.includes(name);
  return tierOf(isOwn ? name : new URL(origin).hostname);
}

/** The address of a backend. @returns its origin, and that of its fallback; empty for this site itself */
export function originsOf(backends: Backends, name: BaseName, tier: Tier): string[] {
  const own = backends[name][tier];
  const other = name === 'short_video' ? backends.short_video.default : undefined;
  return [...new Set([own, other].filter((one) => one !== undefined))];
}
