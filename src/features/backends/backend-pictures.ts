import { Failure } from '../../failures/failures.ts';
import { BackendError, readBounded } from '../../http-client/client.ts';
import { listModules } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { tiers } from './configuration.ts';
import { pageBackends } from './page-backends.ts';

/** Previews are some ten thousand bytes long. */
const maxBytes = 2 ** 20;
const limitMs = 10_000;

/** The path of pictures on backends of our own kind. */
const folder = '/api/pictures/';
const pictureTypes = /^image\/(?:avif|jpeg|png|webp)$/;

/** Every origin that the site configuration names as a backend of a page. */
export function backendOrigins(configuration: SiteConfiguration): Set<string> {
  const addresses = listModules(configuration)
    .flatMap((module) => tiers.map((tier) => pageBackends(module, configuration, tier)))
    .flatMap(({ places, sound }) => [...places, sound]);
  return new Set(addresses.filter((address) => address !== null).map((address) => new URL(address).origin));
}

/**
 * The path on this site of a backend's picture, so that a page contacts no other server.
 * @param href as the backend wrote it
 * @param address of the call that returned it
 * @returns null for anything but a picture of that backend
 */
export function pictureHere(href: string, address: string): string | null {
  const { origin } = new URL(address);
  const url = URL.parse(href, address);
  const ticket = url?.pathname.slice(folder.length) ?? '';
  const isOne = url?.origin === origin && url.pathname.startsWith(folder) && /^[\w.-]{1,200}$/.test(ticket);
  return isOne ? `${folder}${ticket}?at=${encodeURIComponent(origin)}` : null;
}

/** Reads pictures of backends. */
export type ReadBackendPicture = (
  origin: string,
  ticket: string,
  signal: AbortSignal,
) => Promise<{ readonly type: string; readonly bytes: Buffer }>;

/** @param origins of the allowed backends */
export function createBackendPictures(
  fetch: typeof globalThis.fetch,
  origins: Set<string>,
): ReadBackendPicture {
  return async (origin, ticket, signal) => {
    if (!origins.has(origin)) throw new Failure('ticket_invalid', { note: 'no backend of this site' });
    try {
      const response = await fetch(origin + folder + encodeURIComponent(ticket), {
        signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
        redirect: 'error',
      });
      const type = response.headers.get('content-type') ?? '';
      const bytes = await readBounded(response, maxBytes);
      if (!response.ok || !pictureTypes.test(type))
        throw new BackendError(`the backend answered ${response.status} and no picture`, response.status);
      return { type, bytes };
    } catch (thrown) {
      signal.throwIfAborted();
      throw new Failure('media_unavailable', { cause: thrown });
    }
  };
}
