import { z } from 'zod';
import { defineVariables, webAddress } from '../../process/variables.ts';
import {
  type DownloaderModule,
  defineConfiguration,
  type SiteConfiguration,
} from '../../site/configuration/configuration.ts';

/** The source of the lists of articles, on this machine. */
export const contentVariables = defineVariables({ CONTENT_URL: webAddress.optional() });

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

/** The address in a text, null for one that calls and files must not go to. */
function safeAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    return null;
  // Without a password and a query: what goes with a call is in `extraParams`.
  return url.href === url.origin + url.pathname ? url : null;
}

const originMessage = 'must be an origin like https://backend.example (http:// on this machine alone)';

/** An allowed origin in canonical form. */
const isSafeOrigin = (text: string): boolean => safeAddress(text)?.origin === text;

const origin = z.string().refine(isSafeOrigin, originMessage);

/** The backends' purposes, in the specification's order. */
const baseNames = ['main', 'video', 'second_video', 'short_video', 'audio'] as const;

/** A backend that depends on the host name. */
type BaseName = (typeof baseNames)[number];

/** The sets of backends. */
export const tiers = ['production', 'pre_production'] as const;

/** The set of backends in use. */
export type Tier = (typeof tiers)[number];

const base = z.strictObject({ production: origin.optional(), pre_production: origin.optional() });

/** The field of the site configuration file that names the backends; what is left out is this site itself. */
const backendsField = z
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
type Backends = Readonly<z.infer<typeof backendsField>>;

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
function originsOf(backends: Backends, name: BaseName, tier: Tier): string[] {
  const own = backends[name][tier];
  const other = name === 'short_video' ? backends.short_video.default : undefined;
  return [...new Set([own, other].filter((one) => one !== undefined))];
}

/** The call that resolves a link, where a backend's path is not named. */
const usualPath = '/api/resolve';

/** The default backends for links and for sound. */
const usualBase = 'short_video';
const usualSoundBase = 'audio';

const isBaseName = (text: string): text is BaseName => baseNames.some((name) => name === text);

const soundButtons: ReadonlySet<string> = new Set(['mp3', 'm4a']);

const host = z.string().refine((text) => isSafeOrigin(text) || isBaseName(text), {
  message: `${originMessage}, or one of ${baseNames.join(', ')}`,
});

const isPath = (text: string) => /^\/(?:[^/\\\s?#][^\\\s?#]*)?$/.test(text);

const call = z.string().refine((text) => isPath(text) || safeAddress(text) !== null, {
  message:
    'must be a path that starts with one "/" or an https:// address (http:// on this machine alone), without "?" and "#"',
});

/** Fields of `download_info` that name who resolves a page's links. */
const downloadFields = {
  /** Origin of the backend that resolves the page's links, or its name in `backends`. */
  download_host: host.optional(),
  /** Its call, where it is not `/api/resolve`. */
  download_url: call.optional(),
  /** The backend that provides the sound. */
  download_mp3_host: host.optional(),
  /** Its call, if it is not `/api/resolve`; by default that of `download_host`. */
  mp3_url: call.optional(),
  /** Made where the others fail: another backend's whole address, or `/api/resolve` for this site itself. */
  default_url: call.optional(),
};

type BackendFields = { readonly [Name in keyof typeof downloadFields]?: string | undefined };

/** Rejects names of unknown backends. */
function checkBackends(fields: BackendFields, context: z.RefinementCtx): void {
  const { download_host, download_url, download_mp3_host, mp3_url, default_url } = fields;
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (download_url?.startsWith('/') && download_host === undefined)
    refuse('download_url', 'is a path: "download_host" has to say of which backend');
  if (mp3_url?.startsWith('/') && (download_mp3_host ?? download_host) === undefined)
    refuse('mp3_url', 'is a path: "download_mp3_host" or "download_host" has to say of which backend');
  if (default_url?.startsWith('/') && default_url !== usualPath)
    refuse('default_url', `is a path of this site, which resolves links at "${usualPath}" alone`);
}

/** The field `backends`, and those of a page's `download_info` that name who resolves its links. */
export const backendsFields = defineConfiguration({
  fields: { backends: backendsField },
  downloadFields,
  checkDownload: checkBackends,
});

/** A resolver of links: the address of another backend's call, or null for this site itself. */
export type ResolvePlace = string | null;

/** The resolvers of a page's links. */
export interface PageBackends {
  /** Tried in order until one succeeds; at least one. */
  readonly places: readonly ResolvePlace[];
  /** The resolver of the page's sound; null when it comes with the rest. */
  readonly sound: string | null;
}

const addressOf = (origin?: string, call = usualPath): ResolvePlace => URL.parse(call, origin)?.href ?? null;

/** The resolvers of a page's links. A page for sound only asks the sound backend instead of the other. */
export function pageBackends(
  module: DownloaderModule,
  configuration: SiteConfiguration,
  tier: Tier,
): PageBackends {
  // The whole site's, for fields that are absent or name one.
  const { backends } = backendsFields.of(configuration);
  const { download_btns } = module.download_info;
  const { download_host, download_url, download_mp3_host, mp3_url, default_url } =
    backendsFields.ofModule(module).download_info;

  /** The places of a call, this site where its backend is not named. */
  const placesOf = (named: string, call?: string): ResolvePlace[] => {
    if (call !== undefined && !isPath(call)) return [addressOf(undefined, call)];
    const origins = isBaseName(named) ? originsOf(backends, named, tier) : [named];
    return origins.length === 0 ? [null] : origins.map((origin) => addressOf(origin, call));
  };

  const all = placesOf(download_host ?? usualBase, download_url);
  const hasOther = download_mp3_host !== undefined || mp3_url !== undefined;
  const hasUsual = download_host === undefined && originsOf(backends, usualSoundBase, tier).length > 0;
  const forSounds = hasOther
    ? placesOf(download_mp3_host ?? download_host ?? usualSoundBase, mp3_url)
    : hasUsual
      ? placesOf(usualSoundBase)
      : all;
  const [sound = null] = forSounds;
  const forSound = download_btns.filter((button) => soundButtons.has(button)).length;
  const first = forSound === download_btns.length ? forSounds : all;
  return {
    places: [
      ...new Set([...first, ...(default_url === undefined ? [] : [addressOf(undefined, default_url)])]),
    ],
    sound: forSound > 0 && sound !== first[0] ? sound : null,
  };
}
