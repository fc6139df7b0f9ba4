import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
