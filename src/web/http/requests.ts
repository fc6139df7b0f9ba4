import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Work } from '../../downloader/tickets/work.ts';
import { commonHeaders } from './answers/security-headers.ts';
import { disconnectSignal } from './disconnect.ts';
import type { Visitor } from './visitor/visitor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, for limits. */
    readonly visitor: Visitor;
    /** Who asks, where that is known better than by the address; else null. */
    knownVisitor: Visitor | null;
    /** Whether the visitor's connection is known to be encrypted. */
    readonly isSecure: boolean;
    /** Aborted when the client went away before it had its answer. */
    readonly disconnected: AbortSignal;
    /** When the first byte of a file was there, in ms since the request; null before, and for other answers. */
    firstByteMs: number | null;
    /** What the ticket of a file or picture is for; null for other requests, and wrong tickets. */
    workKind: Work['kind'] | null;
    /** Made when somebody asks: most answers are there at once. */
    disconnectSignal: AbortSignal | null;
    response: ServerResponse | null;
  }
}

interface RequestParts {
  readonly hashVisitor: (address: string) => Visitor;
  readonly origin: string;
  /** Its pages have no policy in development, nor has anything else then. */
  readonly site?: { readonly isDevelopment?: boolean };
}

/**
 * Gives every request what endpoints and pages ask of it, and every answer the headers that all have. Who asks, and
 * from where, is what the outermost trusted proxy says, where there is one (Fastify's `trustProxy`).
 */
export function decorateRequests(
  app: FastifyInstance,
  { hashVisitor, origin, site: { isDevelopment } = {} }: RequestParts,
): void {
  const { protocol, host } = new URL(origin);
  app.decorateRequest('workKind', null);
  app.decorateRequest('firstByteMs', null);
  app.decorateRequest('knownVisitor', null);
  app.decorateRequest('disconnectSignal', null);
  app.decorateRequest('response', null);
  app.decorateRequest('visitor', {
    getter() {
      // A connection that is gone has no address.
      return this.knownVisitor ?? hashVisitor(this.ip ?? '');
    },
  });
  // The public host is asked over TLS also where no proxy says so.
  app.decorateRequest('isSecure', {
    getter() {
      return this.protocol === 'https' || (protocol === 'https:' && this.host.toLowerCase() === host);
    },
  });
  app.decorateRequest('disconnected', {
    getter() {
      if (this.response === null) throw new Error('Nobody asks yet.');
      this.disconnectSignal ??= disconnectSignal(this.response);
      return this.disconnectSignal;
    },
  });
  app.addHook('onRequest', (request, reply, next) => {
    request.response = reply.raw;
    void reply.headers(commonHeaders(request.isSecure)).header('x-request-id', request.id);
    if (isDevelopment === true) void reply.removeHeader('content-security-policy');
    next();
  });
}
