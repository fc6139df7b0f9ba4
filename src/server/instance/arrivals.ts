import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { ArrivalResponse } from '../../site/api.ts';
import { onceClosed } from '../http/disconnect.ts';

/** The range of a file that a successful response sends. */
export interface Given {
  readonly etag: string | null;
  /** Length of the whole file, in bytes; null when unknown. */
  readonly size: number | null;
  /** The first byte. */
  readonly start: number;
  /** One past the last byte; null when nobody knows. */
  readonly end: number | null;
}

/** More pieces of one file than a download program fetches side by side: what lies apart beyond is forgotten. */
const mostPieces = 16;

/** The bytes of one file that were sent. */
class SentBytes {
  readonly #etag: string | null;
  readonly #size: number | null;
  /** First byte and one past the last of each piece: apart from each other, in order. */
  #pieces: readonly (readonly [start: number, end: number])[] = [];

  constructor({ etag, size }: Given) {
    this.#etag = etag;
    this.#size = size;
  }

  /** Whether a response is of the same file: bytes of two files, or of one that has changed, make none. */
  isOf({ etag, size }: Given): boolean {
    return etag !== null && etag === this.#etag && size === this.#size;
  }

  add(start: number, end: number): void {
    if (end <= start) return;
    const apart = this.#pieces.filter((piece) => piece[1] < start || piece[0] > end);
    const touching = this.#pieces.filter((piece) => piece[1] >= start && piece[0] <= end).flat();
    const joined = [Math.min(start, ...touching), Math.max(end, ...touching)] as const;
    this.#pieces = [...apart, joined].toSorted(([one], [other]) => one - other).slice(0, mostPieces);
  }

  get bytes(): number {
    return this.#pieces.reduce((sum, [start, end]) => sum + end - start, 0);
  }

  get isWhole(): boolean {
    return this.#size !== null && this.bytes === this.#size;
  }
}

/** One response to a request for the file. */
export interface Answer {
  /** Its head, before any byte: null for everything that is no file and no part of one. */
  gives(given: Given | null): void;
  /** Adds further written bytes of its body. */
  wrote(bytes: number): void;
  /** Its connection is done with it. @param isFinished whether nothing of it was left */
  end(isFinished: boolean): void;
}

/**
 * How a file gets on that a browser asks for as often as it likes: the whole, the rest after a break, parts side by side.
 * It is sent once every one of its bytes was in a successful response, and stays so; an error or a break takes nothing
 * away of what was sent.
 */
export class Transfer {
  /** Photos that the file, a zip, lacks. */
  missingPhotos = 0;
  #running = 0;
  /** The file of the newest successful response. */
  #file: SentBytes | null = null;
  #sentBytes: number | null = null;

  get state(): 'sending' | 'sent' | 'broken' {
    if (this.#sentBytes !== null) return 'sent';
    return this.#running > 0 ? 'sending' : 'broken';
  }

  /** Bytes of the file that were sent, each counted once. */
  get bytes(): number {
    return this.#sentBytes ?? this.#file?.bytes ?? 0;
  }

  /** Begins another response. */
  begin(): Answer {
    this.#running += 1;
    let part: { readonly given: Given; readonly file: SentBytes } | null = null;
    let written = 0;
    /** Without its end a response may have lost what was written last: then its last byte does not count. */
    const add = (isFinished: boolean) => {
      if (part === null) return;
      const { start, end } = part.given;
      const last = end === null ? Number.POSITIVE_INFINITY : end - (isFinished ? 0 : 1);
      part.file.add(start, Math.min(start + written, last));
    };
    return {
      gives: (given) => {
        if (given === null) return;
        if (this.#file?.isOf(given) !== true) this.#file = new SentBytes(given);
        part = { given, file: this.#file };
      },
      wrote: (bytes) => {
        written += bytes;
        add(false);
      },
      end: (isFinished) => {
        this.#running -= 1;
        if (isFinished) add(true);
        if (part === null) return;
        const { given, file } = part;
        const isAllOfUnknown = isFinished && given.size === null && given.end === null;
        if (file.isWhole || isAllOfUnknown) this.#sentBytes = file.bytes;
      },
    };
  }
}

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
