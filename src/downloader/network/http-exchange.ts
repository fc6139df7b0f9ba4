import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { HttpVersion } from './contracts.ts';
import { releaseChunk } from './memory.ts';
import type { Target } from './targets.ts';

export interface HttpExchangeRequest {
  readonly dispatcher: Dispatcher;
  readonly target: Target;
  readonly method: 'GET' | 'HEAD';
  /** Alternating names and values, in sending order. */
  readonly headers: readonly string[];
  readonly headersTimeoutMs: number;
  /** Longest pause between two pieces of the body while we are willing to take one. */
  readonly bodyIdleMs: number;
  readonly signal: AbortSignal;
}

const oneMoreTry = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * One request and its response. The body is read piece by piece by {@link HttpExchange.next}, without a stream in
 * between. The signal ends it at any time; so does {@link HttpExchange.stop}.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  status = 0;
  http: HttpVersion = '1.1';
  headers: IncomingHttpHeaders = {};
  /** Body bytes so far, as on the wire. */
  received = 0;
  /** Called when a piece came that nobody waits for: the connection is held back until the next call of `next`. */
  onHeld: () => void = () => {};

  readonly #signal: AbortSignal;
  readonly #opened = Promise.withResolvers<HttpExchange>();
  #controller: Dispatcher.DispatchController | null = null;
  /** Who waits for the next piece. */
  #reader: PromiseWithResolvers<Buffer | null> | null = null;
  /** Pieces that nobody waited for: one, and those that came with it. */
  readonly #held: Buffer[] = [];
  /** Set at the end; `error` is null for a complete body. */
  #outcome: { readonly error: Error | null } | null = null;
  #stopped: Error | null = null;

  private constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Sends the request and resolves with the head of the response, whatever its status. A connection that breaks before
   * the response is tried once more: the server may have closed an idle keep-alive connection at that moment.
   */
  static async open(request: HttpExchangeRequest): Promise<HttpExchange> {
    try {
      return await HttpExchange.#dispatch(request);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (request.signal.aborted || !oneMoreTry.has(code)) throw error;
      return HttpExchange.#dispatch(request);
    }
  }

  static #dispatch(request: HttpExchangeRequest): Promise<HttpExchange> {
    request.signal.throwIfAborted();
    const exchange = new HttpExchange(request.signal);
    request.signal.addEventListener('abort', exchange.#onAbort, { once: true });
    try {
      request.dispatcher.dispatch(
        {
          origin: request.target.origin,
          path: request.target.path,
          method: request.method,
          headers: request.headers as string[],
          headersTimeout: request.headersTimeoutMs,
          bodyTimeout: request.bodyIdleMs,
        },
        exchange,
      );
    } catch (error) {
      exchange.fail(error instanceof Error ? error : new Error('the request was not sent', { cause: error }));
    }
    return exchange.#opened.promise;
  }

  /** The next piece of the body, one call at a time; null at the end. @throws the error by which it ended */
  next(): Promise<Buffer | null> | Buffer | null {
    const held = this.#held.shift();
    if (held !== undefined) return held;
    const reader = Promise.withResolvers<Buffer | null>();
    this.#reader = reader;
    if (this.#outcome !== null) this.#deliverOutcome();
    else this.#controller?.resume();
    return reader.promise;
  }

  /** Ends it at once and closes its connection. */
  stop(): void {
    this.#held.splice(0).forEach(releaseChunk);
    // Most exchanges have ended by now, and making an error with its stack takes as long as parsing a post.
    if (this.#outcome === null) this.fail(new Error('no longer wanted'));
  }

  /** Ends it with this error, which the reader (or the opener) gets. */
  fail(error: Error): void {
    if (this.#outcome !== null) return;
    this.#stopped = error;
    // Before the request starts there is nothing to abort; `onRequestStart` does it then.
    if (this.#controller !== null) this.#controller.abort(error);
    this.#finish(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped !== null) controller.abort(this.#stopped);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.status = status;
    // Only HTTP/1.1 has headers as lines; Node's HTTP/2 gives them as an object.
    this.http = Array.isArray(controller.rawHeaders) ? '1.1' : '2';
    this.headers = headers;
    controller.pause();
    this.#opened.resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.received += chunk.length;
    const reader = this.#reader;
    this.#reader = null;
    if (reader !== null) {
      reader.resolve(chunk);
      return;
    }
    this.#held.push(chunk);
    controller.pause();
    this.onHeld();
  }

  onResponseEnd(): void {
    this.#finish(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish(error);
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal.reason;
    this.fail(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  };

  #finish(error: Error | null): void {
    if (this.#outcome !== null) return;
    this.#outcome = { error };
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (error !== null) this.#opened.reject(error);
    this.#deliverOutcome();
  }

  #deliverOutcome(): void {
    const reader = this.#reader;
    this.#reader = null;
    if (reader === null || this.#outcome === null) return;
    if (this.#outcome.error === null) reader.resolve(null);
    else reader.reject(this.#outcome.error);
  }
}
