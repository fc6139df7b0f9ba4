import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { BackendError, readBounded } from '../../http-client/client.ts';
import { sendPicture } from '../../server/endpoints/pictures.ts';
import type { ServerDependencies } from '../../server/instance/parts.ts';
import { listModules } from '../../site/addressing/site-pages.ts';
import type { SiteConfiguration } from '../../site/configuration/configuration.ts';
import { pageBackends, tiers } from './configuration.ts';

/** Previews are some ten thousand bytes long. */
const maxBytes = 2 ** 20;
const limitMs = 10_000;

/** The path of pictures on backends of our own kind. */
const folder = '/api/pictures/';
/** The path of a backend's picture on this site. */
const pathOf = (ticket: string) => `${folder}${ticket}/backend`;
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
  return isOne ? `${pathOf(ticket)}?at=${encodeURIComponent(origin)}` : null;
}

/** @param origin of the backend @throws Failure */
async function readPicture(origin: string, ticket: string, signal: AbortSignal) {
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
}

type PictureRequest = FastifyRequest<{
  Params: { ticket: string };
  /** Origin of the backend that has the picture. */
  Querystring: { at?: string | string[] };
}>;

/** `GET /api/pictures/{ticket}/backend?at={origin}`: a picture of a post that another server has resolved. */
export function backendPictures(
  app: FastifyInstance,
  { configuration, limits }: Pick<ServerDependencies, 'configuration' | 'limits'>,
): void {
  const origins = backendOrigins(configuration);
  app.get(pathOf(':ticket'), async (request: PictureRequest, reply) => {
    await limits.files(request.visitor);
    const at = String(request.query.at);
    if (!origins.has(at)) throw new Failure('ticket_invalid', { note: 'no backend of this site' });
    return sendPicture(reply, await readPicture(at, request.params.ticket, request.disconnected));
  });
}
