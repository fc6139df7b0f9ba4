import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { HttpVersion, MediaSink } from './contracts.ts';
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
 * One request and its response. The body is held back until {@link HttpExchange.connect}, and goes to one sink without
 * a stream in between. The signal ends it at any time; so does {@link HttpExchange.stop}.
 */
export class HttpExchange implements Dispatcher.DispatchHandler {
  status = 0;
  http: HttpVersion = '1.1';
  headers: IncomingHttpHeaders = {};
  /** Body bytes so far, as on the wire. */
  received = 0;

  readonly #signal: AbortSignal;
  readonly #opened = Promise.withResolvers<HttpExchange>();
  #controller: Dispatcher.DispatchController | null = null;
  #sink: MediaSink | null = null;
  /** Bytes that came although the flow was held back: the peer closed. */
  #early: Buffer[] = [];
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

  /** Starts the body, or hands the rest of it to another sink. */
  connect(sink: MediaSink): void {
    this.#sink = sink;
    let wanted = true;
    for (const chunk of this.#early.splice(0)) wanted = sink.data(chunk);
    if (this.#outcome !== null) this.#deliverOutcome();
    else if (wanted) this.#controller?.resume();
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    if (this.#outcome === null) this.#controller?.resume();
  }

  /** Ends it at once and closes its connection; the sink gets no further calls. */
  stop(): void {
    this.#sink = null;
    // Most exchanges have ended by now, and making an error with its stack takes as long as parsing a post.
    if (this.#outcome === null) this.fail(new Error('no longer wanted'));
  }

  /** Ends it with this error, which the sink (or the opener) gets. */
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
    if (this.#sink === null) this.#early.push(chunk);
    else if (!this.#sink.data(chunk)) controller.pause();
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
    if (this.#sink !== null) this.#deliverOutcome();
  }

  #deliverOutcome(): void {
    const sink = this.#sink;
    const outcome = this.#outcome;
    this.#sink = null;
    if (sink === null || outcome === null) return;
    if (outcome.error === null) sink.end();
    else sink.fail(outcome.error);
  }
}
