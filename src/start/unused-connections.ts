import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Closes connections on which nothing is being answered. */
export interface UnusedConnections {
  /** Closes those there are now, and from now on each one as soon as its answer has ended. */
  close(): void;
}

/**
 * Takes note of what is answered on which connection. Node's own `closeIdleConnections` leaves those open that never
 * sent a request, as browsers open them in advance, and those that sent half of one: they would hold up a stop.
 */
export function watchConnections(server: Server): UnusedConnections {
  const answers = new Map<Socket, Set<ServerResponse>>();
  let closing = false;

  /** A request that has not arrived whole was not taken yet. */
  const isTaken = ({ req, headersSent }: ServerResponse<IncomingMessage>) => req.complete || headersSent;

  function closeUnused(socket: Socket): void {
    if (![...(answers.get(socket) ?? [])].some(isTaken)) socket.destroySoon();
  }

  server.on('connection', (socket: Socket) => {
    answers.set(socket, new Set());
    socket.once('close', () => answers.delete(socket));
    if (closing) closeUnused(socket);
  });
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    answers.get(socket)?.add(answer);
    answer.once('close', () => {
      answers.get(socket)?.delete(answer);
      if (closing) closeUnused(socket);
    });
  });

  return {
    close() {
      closing = true;
      for (const socket of answers.keys()) closeUnused(socket);
    },
  };
}
