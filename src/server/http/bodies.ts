import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import { controlCharacterIn } from './plain-text.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** That the address refuses control characters itself, and says where they stand. */
    readonly refusesControlCharacters?: true;
  }
}

/** The longest body that is taken without an own limit, in bytes. Proxies in front take the same (`deploy/`). */
export const usualBodyBytes = 512 * 1024;

/** Addresses that take longer ones, in bytes: a form with its file. Proxies let them through here only. */
export const longBodyBytes: Readonly<Record<string, number>> = { '/operator/articles': 51 * 2 ** 20 };

const formType = /^\s*(?:(application\/x-www-form-urlencoded)|multipart\/form-data)/i;

/** Whether the body of a request holds U+0000. Bytes are looked at only where they are a form. */
function holdsNull(body: unknown, contentType = ''): boolean {
  if (body instanceof URLSearchParams) return body.toString().includes('%00');
  if (!(body instanceof Uint8Array)) return controlCharacterIn(body, (text) => !text.includes('\0')) !== null;
  const [isForm, isEncoded] = formType.exec(contentType) ?? [];
  if (isForm === undefined) return false;
  // A percent sign that somebody typed is encoded itself.
  return body.includes(0) || (isEncoded !== undefined && Buffer.from(body).includes('%00'));
}

/**
 * Refuses bodies with U+0000, whatever endpoint they are for: nobody types it, and PostgreSQL takes no text with it.
 * `readableUrl` does the same for addresses.
 */
export function refuseNullCharacters(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ body, headers, routeOptions }) => {
    if (routeOptions.config.refusesControlCharacters !== true && holdsNull(body, headers['content-type']))
      throw new Failure('request_invalid', { note: 'body holds U+0000' });
  });
}

/**
 * Bounds for reading a body whose request has been answered, before its connection is closed. More than strangers may
 * send anywhere, so that whoever sends a little too much gets the answer, and more than is under way between a proxy and
 * here. The time is nginx' own for such clients (`lingering_timeout`).
 */
const usualBounds = { mostBytes: 2 ** 20, mostMs: 5000 };

/** Bytes that a request announces: none where it has no body, and any number where it does not say how many. */
const announced = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;

const isWhole = (body: IncomingMessage) => body.complete || body.readableEnded || body.destroyed;

const destroySoon = (socket: Socket): void => Socket.prototype.destroySoon.call(socket);

/**
 * Reads a body and drops it. Beyond the bound nothing is read, which stops the client, and it has the rest of the time to
 * look at the answer.
 */
function drop(body: IncomingMessage, mostBytes: number): void {
  let read = 0;
  // Whatever has read it so far has given up, and may hold it back.
  body.unpipe().on('data', ({ length }: Buffer) => {
    read += length;
    if (read >= mostBytes) body.pause();
  });
  body.resume();
}

/** Ends a connection for its client, and waits until the client has sent the body, or has left with the answer. */
function closeAfter(body: IncomingMessage, socket: Socket, mostMs: number): void {
  if (isWhole(body)) {
    destroySoon(socket);
    return;
  }
  const timer = setTimeout(() => socket.destroy(), mostMs);
  socket.once('close', () => clearTimeout(timer));
  body.once('end', () => destroySoon(socket));
  socket.end();
}

/**
 * Lets clients that are still sending receive the answer that refuses their body, whichever address gives it. A connection
 * that is closed while bytes arrive is reset: the answer is lost, and a proxy counts a failure of this instance. So the
 * rest of the body is read and dropped. A connection whose body does not announce an end within the bounds takes no other
 * request after it.
 */
export function readRefusedBodies(app: FastifyInstance, { mostBytes, mostMs } = usualBounds): void {
  app.addHook('onSend', (request, reply, payload, next) => {
    const body = request.raw;
    const length = announced(body);
    if (length > 0 && !isWhole(body)) {
      if (length > mostBytes) void reply.header('connection', 'close');
      drop(body, mostBytes);
      // Node ends a connection with this method once its last answer is out.
      body.socket.destroySoon = () => closeAfter(body, body.socket, mostMs);
    }
    next(null, payload);
  });
}
