import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More would only be more who wait. */
const mostWorthHaving = 10_000;

/**
 * Default limit of open visitor connections: half of the file descriptors of this process, since a response may need
 * another file or connection.
 */
export function mostConnections(): number {
  // `excludeNetwork` is not among Node's types yet.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  // Looking up names of network neighbours would take seconds.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const openFiles = userLimits?.open_files?.soft;
  if (typeof openFiles !== 'number') return mostWorthHaving;
  return Math.max(16, Math.min(mostWorthHaving, Math.floor(openFiles / 2)));
}

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

/**
 * Tracks the responses of each connection, replacing Node's own `closeIdleConnections`. Node leaves connections open
 * that never sent a request, as browsers preconnect, and those with half a request: they would delay a stop. It also
 * cuts off complete responses that are not sent yet: the end of a slow download.
 */
export function watchConnections(server: Server) {
  const connections = new Set<Socket>();
  const running = new Set<ServerResponse>();
  let closing = false;

  /** A request that has not arrived whole was not taken yet. */
  const isTaken = ({ req, headersSent }: ServerResponse<IncomingMessage>) => req.complete || headersSent;

  function closeUnused(socket: Socket): void {
    for (const response of running) if (response.req.socket === socket && isTaken(response)) return;
    socket.destroySoon();
  }

  /** One function for all responses: there are many. */
  function ended(this: ServerResponse): void {
    running.delete(this);
    if (closing) closeUnused(this.req.socket);
  }

  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (closing) closeUnused(socket);
  });
  server.on('request', (_: IncomingMessage, response: ServerResponse) => {
    // Responses written at once, such as cached pages: unsent bytes leave before the connection is destroyed.
    if (response.writableEnded) {
      if (closing) closeUnused(response.req.socket);
      return;
    }
    running.add(response);
    response.on('close', ended);
  });

  function close(): void {
    closing = true;
    for (const socket of connections) closeUnused(socket);
  }
  // `server.close()` calls it too.
  server.closeIdleConnections = close;
  return {
    /** Closes those there are now, and from now on each one as soon as its answer has ended. */
    close,
  };
}

/** Closes connections without a running response. */
export type UnusedConnections = ReturnType<typeof watchConnections>;
