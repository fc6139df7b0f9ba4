import { z } from 'zod';
import {
  type DownloaderModule,
  defineConfiguration,
  type SiteConfiguration,
} from '../../site/configuration/configuration.ts';
import {
  type BaseName,
  backendsField,
  baseNames,
  isSafeOrigin,
  originMessage,
  originsOf,
  safeAddress,
  type Tier,
} from './configuration.ts';

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
