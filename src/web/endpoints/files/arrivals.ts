import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ArrivalResponse } from '../../api.ts';
import { onceClosed } from '../../http/disconnect.ts';
import type { ServerDependencies } from '../../server/parts.ts';
import { openTicket } from '../open-ticket.ts';

/** Names one press of a download button. */
const pressName = z.object({ press: z.string().regex(/^[\da-f]{32}$/) });

/** Presses that are known at once; of more, the oldest are forgotten. */
const mostPresses = 10_000;
const rememberMs = 600_000;

interface Sending {
  /** Null once its file is done with it. */
  socket: Socket | null;
  /** Bytes sent on the connection before this file. */
  readonly before: number;
  end: 'sent' | 'broken' | null;
  bytes: number;
}

/**
 * The progress of this process's files that pages passed to the browser: a page learns nothing of a browser download,
 * and could only guess its success.
 */
export class Arrivals {
  readonly #presses = new LRUCache<string, Sending>({ max: mostPresses, ttl: rememberMs });

  /** Records a file's transfer if its address names a press. A later request for the rest replaces the first part. */
  note(query: unknown, response: ServerResponse): void {
    const { data } = pressName.safeParse(query);
    if (data === undefined) return;
    const { socket } = response;
    const sending: Sending = { socket, before: socket?.bytesWritten ?? 0, end: null, bytes: 0 };
    this.#presses.set(data.press, sending);
    onceClosed(response, () => {
      sending.bytes = sentBytes(sending);
      sending.end = response.writableFinished ? 'sent' : 'broken';
      sending.socket = null;
    });
  }

  /** The progress of a press; `unknown` when its file was never requested here. */
  of(press: string): ArrivalResponse['result'] {
    const sending = this.#presses.get(press);
    if (sending === undefined) return { state: 'unknown', bytes: 0 };
    return { state: sending.end ?? 'sending', bytes: sentBytes(sending) };
  }
}

const sentBytes = ({ socket, before, bytes }: Sending) =>
  socket === null ? bytes : Math.max(0, socket.bytesWritten - before);

/** `GET /api/files/{ticket}/arrival?press=`: how a file gets on that was fetched with the same `press`. */
export function arrivalEndpoint(
  app: FastifyInstance,
  arrivals: Arrivals,
  parts: Pick<ServerDependencies, 'tickets' | 'limits'>,
): void {
  app.get<{ Params: { ticket: string } }>('/api/files/:ticket/arrival', async (request, reply) => {
    await openTicket(request, parts);
    await parts.limits.status(request.visitor);
    const { data } = pressName.safeParse(request.query);
    const result = data === undefined ? ({ state: 'unknown', bytes: 0 } as const) : arrivals.of(data.press);
    const response: ArrivalResponse = { code: 200, result };
    return reply.header('cache-control', 'no-store').send(response);
  });
}
