import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client's time limits, in ms. */
export interface ConnectionTimes {
  /** For a whole request: sufficient for the slowest reasonable form. */
  readonly requestMs: number;
  /** For its head. Node enforces neither limit in time unless this is below `requestMs`. */
  readonly headMs: number;
  /** How often Node checks for requests over their limit. */
  readonly checkMs: number;
  /** Between an answer and the next request of the same connection. */
  readonly betweenMs: number;
}

/** Longer than nginx keeps its own idle connections to a server (60 s), so that nginx closes them first. */
const usualTimes: ConnectionTimes = { requestMs: 60_000, headMs: 20_000, checkMs: 5000, betweenMs: 65_000 };

/** The options of `node:http` that end requests which never end. Fastify switches Node's own limits off. */
export function connectionOptions(times: ConnectionTimes = usualTimes) {
  return {
    requestTimeout: times.requestMs,
    headersTimeout: times.headMs,
    connectionsCheckingInterval: times.checkMs,
    keepAliveTimeout: times.betweenMs,
  } satisfies ServerOptions;
}

/**
 * Limits the open connections. At the limit a new connection replaces the oldest one whose request is incomplete or
 * that idles between requests: a client that opens many silent connections excludes only itself. Only when all of them
 * have a running response is the new connection rejected.
 */
export function limitConnections(server: Server, most: number): void {
  /** The oldest first. */
  const open = new Set<Socket>();
  const latest = new WeakMap<Socket, ServerResponse<IncomingMessage>>();

  function isAnswering(socket: Socket): boolean {
    const response = latest.get(socket);
    if (response === undefined || response.writableFinished) return false;
    return response.req.complete || response.headersSent;
  }

  function makeRoom(): boolean {
    for (const socket of open)
      if (!isAnswering(socket)) {
        open.delete(socket);
        socket.destroy();
        return true;
      }
    return false;
  }

  server.on('connection', (socket: Socket) => {
    if (open.size >= most && !makeRoom()) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // In front of what answers: the answer may be given at once.
  server.prependListener('request', (request, response) => latest.set(request.socket, response));
}
