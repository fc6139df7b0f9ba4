import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type FileNaming, maxTemplateLength, usualNaming } from '../../downloader/media/file-names.ts';
import type { PostReference } from '../../downloader/post/post.ts';
import type { TicketFile } from '../../downloader/tickets/ticket-file.ts';
import type { Failure } from '../../failures/failures.ts';
import { disconnectSignal } from './disconnect.ts';
import { commonHeaders } from './responses/security-headers.ts';
import { readCookie } from './visitor/cookies.ts';
import { plainForwarded } from './visitor/network-address.ts';
import type { Visitor } from './visitor/visitor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client, for limits. */
    readonly visitor: Visitor;
    /** The client, if known more precisely than by its address; else null. */
    knownVisitor: Visitor | null;
    /** Whether the visitor's connection is known to be encrypted. */
    readonly isSecure: boolean;
    /** Aborts when the client left before its response. */
    readonly disconnected: AbortSignal;
    /** How the visitor wants files to be named, by a cookie. */
    readonly fileNaming: FileNaming;
    /** When the first byte of a file was there, in ms since the request; null before, and for other answers. */
    firstByteMs: number | null;
    /** The work of the ticket of a file or picture; null for other requests, and invalid tickets. */
    workKind: TicketFile['kind'] | null;
    /** The post that the visitor has chosen, as far as it is known; null for requests without one. */
    askedPost: PostReference | null;
    /** How the post was read that was read for the request: a thin one has failed. Null where none was read. */
    readOutcome: 'succeeded' | 'failed' | null;
    /** Why the request was not answered as it was meant; null before, and for other requests. */
    failure: Failure | null;
    /** Created on demand: most responses are immediate. */
    disconnectSignal: AbortSignal | null;
    response: ServerResponse | null;
  }
}

interface RequestParts {
  readonly hashVisitor: (address: string) => Visitor;
  readonly origin: string;
  /** In development the pages and all other responses have no policy. */
  readonly site?: { readonly isDevelopment?: boolean };
}

/**
 * Adds the request properties that endpoints and pages need, and the headers that all responses have. The outermost
 * trusted proxy states the client's address and scheme, if there is one (Fastify's `trustProxy`).
 */
export function decorateRequests(
  app: FastifyInstance,
  { hashVisitor, origin, site: { isDevelopment } = {} }: RequestParts,
): void {
  const { protocol, host } = new URL(origin);
  for (const name of [
    ...(['workKind', 'firstByteMs', 'askedPost', 'readOutcome', 'failure', 'knownVisitor'] as const),
    ...(['disconnectSignal', 'response'] as const),
  ])
    app.decorateRequest(name, null);
  app.decorateRequest('visitor', {
    getter() {
      // A connection that is gone has no address.
      return this.knownVisitor ?? hashVisitor(this.ip ?? '');
    },
  });
  // The public host is reached over TLS even if no proxy states it.
  app.decorateRequest('isSecure', {
    getter() {
      return this.protocol === 'https' || (protocol === 'https:' && this.host.toLowerCase() === host);
    },
  });
  app.decorateRequest('fileNaming', {
    getter() {
      const template = readCookie(this.headers.cookie, 'file-names');
      return template === null || template.length > maxTemplateLength ? usualNaming : { template };
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
    const { headers } = request.raw;
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded === 'string') headers['x-forwarded-for'] = plainForwarded(forwarded);
    request.response = reply.raw;
    void reply.headers(commonHeaders(request.isSecure)).header('x-request-id', request.id);
    if (isDevelopment === true) void reply.removeHeader('content-security-policy');
    next();
  });
}
