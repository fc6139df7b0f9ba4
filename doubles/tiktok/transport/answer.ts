import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { Line } from './line.ts';

/** A fault in sending a response. Offsets count bytes of the body. */
export type TransferFault =
  | { readonly kind: 'stall-headers' }
  | { readonly kind: 'stall-body'; readonly afterBytes: number }
  /** The connection is closed cleanly, in the middle of the body. */
  | { readonly kind: 'close'; readonly afterBytes: number }
  /** The connection is reset (TCP RST). */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  | { readonly kind: 'drip'; readonly bytesPerSecond: number }
  /** `Content-Length` says this instead of the truth; the connection ends with the body. */
  | { readonly kind: 'wrong-length'; readonly contentLength: number };

/** A virtual host's response; the transport sends it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
  readonly fault?: TransferFault;
}

export interface Sending {
  readonly latencyMs: number;
  /** The bandwidth-limited line that the body shares with others; null means no limit. */
  readonly line: Line | null;
  readonly onBytes: (bytes: number) => void;
  /** Resets the connection of the answer. */
  readonly reset: () => void;
  /** Aborted when the connection is gone. */
  readonly signal: AbortSignal;
}

const UNLIMITED_WRITE = 262_144;

const isHttp2 = (response: unknown): response is Http2ServerResponse =>
  response instanceof Http2ServerResponse;

/** Sends a response, with its fault if it has one. Resolves when no more bytes will be sent. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  { latencyMs, line, onBytes, reset, signal }: Sending,
): Promise<void> {
  if (latencyMs > 0) await delay(latencyMs, undefined, { signal });
  const { fault } = answer;
  if (fault?.kind === 'stall-headers') return;

  const contentLength = fault?.kind === 'wrong-length' ? fault.contentLength : answer.body.length;
  response.writeHead(answer.status, {
    'content-length': contentLength,
    ...(answer.headers as Record<string, string | string[]>),
  });
  const bodyEnd = fault !== undefined && 'afterBytes' in fault ? fault.afterBytes : answer.body.length;
  const body = response.req.method === 'HEAD' ? Buffer.alloc(0) : answer.body.subarray(0, bodyEnd);
  const carrier = fault?.kind === 'drip' ? new Line(fault.bytesPerSecond * 8) : line;
  const turnBytes = carrier?.turnBytes ?? UNLIMITED_WRITE;
  response.flushHeaders();
  for (let offset = 0; offset < body.length; offset += turnBytes) {
    const part = body.subarray(offset, offset + turnBytes);
    if (carrier !== null) await carrier.carry(part.length, signal);
    const flowing = response.write(part);
    onBytes(part.length);
    if (!flowing && offset + turnBytes < body.length) await once(response, 'drain', { signal });
  }

  if (fault?.kind === 'stall-body') return;
  if (fault?.kind === 'reset') reset();
  else if (fault?.kind === 'close' || fault?.kind === 'wrong-length') {
    if (isHttp2(response)) response.stream.close();
    else response.socket?.end();
  } else response.end();
}
