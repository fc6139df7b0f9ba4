import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ArrivalResponse } from '../../site/api.ts';
import { onceClosed } from '../http/disconnect.ts';
import { type Given, Transfer } from './transfer.ts';

/** Names one press of a download button. */
const pressName = z.object({ press: z.string().regex(/^[\da-f]{32}$/) });

/** Presses that are known at once; of more, the oldest are forgotten. */
const mostPresses = 10_000;
const rememberMs = 600_000;

/**
 * The progress of this process's files that pages passed to the browser: a page learns nothing of a browser download,
 * and could only guess its success.
 */
export class Arrivals {
  readonly #presses = new LRUCache<string, Transfer>({ max: mostPresses, ttl: rememberMs });

  /** Records a response with a file, if its address names a press; before anything of it is sent. */
  note({ query, method }: FastifyRequest, reply: FastifyReply): void {
    const { data } = pressName.safeParse(query);
    if (data === undefined || method !== 'GET') return;
    const transfer = this.#presses.get(data.press) ?? new Transfer();
    // Also a known one: it is remembered from its last request on.
    this.#presses.set(data.press, transfer);
    const answer = transfer.begin();
    let isBegun = false;
    const begin = () => {
      if (!isBegun) answer.gives(givenBy(reply));
      isBegun = true;
    };
    onBody(reply.raw, (bytes) => {
      begin();
      answer.wrote(bytes);
    });
    onceClosed(reply.raw, () => answer.end(reply.raw.writableFinished));
  }

  /** Records that the file, a zip, lacks so many photos. */
  lacks({ query }: FastifyRequest, photos: number): void {
    const { data } = pressName.safeParse(query);
    const transfer = data && this.#presses.get(data.press);
    if (transfer !== undefined) transfer.missingPhotos = photos;
  }

  /** The progress of the press that a query names; `unknown` when its file was never requested here. */
  of(query: unknown): ArrivalResponse['result'] {
    const { data } = pressName.safeParse(query);
    const transfer = data && this.#presses.get(data.press);
    if (transfer === undefined) return { state: 'unknown', bytes: 0 };
    const { state, bytes, missingPhotos } = transfer;
    return { state, bytes, ...(missingPhotos > 0 && { missing_photos: missingPhotos }) };
  }
}

/** The range of a file that a response's head announces; null for everything but a file and a part of one. */
function givenBy(reply: FastifyReply): Given | null {
  const header = (name: string) => reply.getHeader(name)?.toString() ?? null;
  const etag = header('etag');
  if (reply.statusCode === 200) {
    const length = header('content-length');
    const size = length === null ? null : Number(length);
    return { etag, size, start: 0, end: size };
  }
  if (reply.statusCode !== 206) return null;
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header('content-range') ?? '') ?? [];
  if (first === undefined) return null;
  return { etag, size: size === '*' ? null : Number(size), start: Number(first), end: Number(last) + 1 };
}

/** Tells how many bytes are written to a response's body, whoever writes them. */
function onBody(response: ServerResponse, wrote: (bytes: number) => void): void {
  for (const name of ['write', 'end'] as const) {
    const write = response[name] as (...given: unknown[]) => never;
    response[name] = (...given: unknown[]) => {
      const [chunk] = given;
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) wrote(Buffer.byteLength(chunk));
      return write.apply(response, given);
    };
  }
}
