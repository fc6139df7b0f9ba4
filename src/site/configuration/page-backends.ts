import { z } from 'zod';

/** The call that resolves a link, where a backend's path is not named. */
const usualPath = '/api/resolve';

const soundButtons: ReadonlySet<string> = new Set(['mp3', 'm4a']);

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);

/** The address in a text, null for one that calls and files must not go to. */
function safeAddress(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    return null;
  // Without a password and a query: what goes with a call is in `extraParams`.
  return url.href === url.origin + url.pathname ? url : null;
}

const origin = z.string().refine((text) => safeAddress(text)?.origin === text, {
  message: 'must be an origin like https://backend.example (http:// on this machine alone)',
});

const isPath = (text: string) => /^\/(?:[^/\\\s?#][^\\\s?#]*)?$/.test(text);

const call = z.string().refine((text) => isPath(text) || safeAddress(text) !== null, {
  message:
    'must be a path that starts with one "/" or an https:// address (http:// on this machine alone), without "?" and "#"',
});

/** Fields of `download_info` that name who resolves a page's links. */
export const backendFields = {
  /** Origin of the backend that resolves the page's links. */
  download_host: origin.optional(),
  /** Its call, where it is not `/api/resolve`. */
  download_url: call.optional(),
  /** Origin of the backend that gives the sound. */
  download_mp3_host: origin.optional(),
  /** Its call, where it is not `/api/resolve`; that of `download_host` where there is no other. */
  mp3_url: call.optional(),
  /** Made where the others fail: another backend's whole address, or `/api/resolve` for this site itself. */
  default_url: call.optional(),
};

type BackendFields = { readonly [Name in keyof typeof backendFields]?: string | undefined };

/** Refuses what names no backend that could be asked. */
export function checkBackends(fields: BackendFields, context: z.RefinementCtx): void {
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

/** Where links are resolved: the whole address of another backend's call, or null for this site itself. */
export type ResolvePlace = string | null;

/** Who resolves the links of a page. */
export interface PageBackends {
  /** Asked in turn until one does not fail; at least one. */
  readonly places: readonly ResolvePlace[];
  /** Where the page's sound comes from; null where it comes with the rest. */
  readonly sound: string | null;
}

const addressOf = (host?: string, call = usualPath): ResolvePlace => URL.parse(call, host)?.href ?? null;

/** Who is asked, by checked fields. A page for sound alone asks the backend for sound instead of the other. */
export function toPageBackends({
  download_btns,
  ...fields
}: BackendFields & { readonly download_btns: readonly string[] }): PageBackends {
  const { download_host, download_url, download_mp3_host, mp3_url, default_url } = fields;
  const main = addressOf(download_host, download_url);
  const hasOther = download_mp3_host !== undefined || mp3_url !== undefined;
  const sound = hasOther ? addressOf(download_mp3_host ?? download_host, mp3_url) : main;
  const forSound = download_btns.filter((button) => soundButtons.has(button)).length;
  const first = forSound === download_btns.length ? sound : main;
  return {
    places: [...new Set([first, ...(default_url === undefined ? [] : [addressOf(undefined, default_url)])])],
    sound: forSound > 0 && sound !== first ? sound : null,
  };
}
