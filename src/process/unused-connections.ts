import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Closes connections on which nothing is being answered. */
export interface UnusedConnections {
  /** Closes those there are now, and from now on each one as soon as its answer has ended. */
  close(): void;
}

/**
 * Takes note of what is answered on which connection, in the place of Node's own `closeIdleConnections`. That leaves
 * those open that never sent a request, as browsers open them in advance, and those that sent half of one: they would
 * hold up a stop. And it cuts off answers that were given whole but have not left yet: the end of a slow download.
 */
export function watchConnections(server: Server): UnusedConnections {
  const connections = new Set<Socket>();
  const running = new Set<ServerResponse>();
  let closing = false;

  /** A request that has not arrived whole was not taken yet. */
  const isTaken = ({ req, headersSent }: ServerResponse<IncomingMessage>) => req.complete || headersSent;

  function closeUnused(socket: Socket): void {
    for (const answer of running) if (answer.req.socket === socket && isTaken(answer)) return;
    socket.destroySoon();
  }

  /** One for all answers: there are many. */
  function ended(this: ServerResponse): void {
    running.delete(this);
    if (closing) closeUnused(this.req.socket);
  }

  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (closing) closeUnused(socket);
  });
  server.on('request', (_: IncomingMessage, answer: ServerResponse) => {
    // Given whole at once, as kept pages are: what has not left yet does so before its connection is destroyed.
    if (answer.writableEnded) {
      if (closing) closeUnused(answer.req.socket);
      return;
    }
    running.add(answer);
    answer.on('close', ended);
  });

  function close(): void {
    closing = true;
    for (const socket of connections) closeUnused(socket);
  }
  // `server.close()` calls it too.
  server.closeIdleConnections = close;
  return { close };
}
