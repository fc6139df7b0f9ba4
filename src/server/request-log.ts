import type { FastifyBaseLogger } from 'fastify';

type Line = Parameters<FastifyBaseLogger['info']>;

/**
 * The logger of one request, which is only made when the request has something to say: most have not, and making one
 * takes longer than finding a kept page.
 */
class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  get level() {
    return this.#parent.level;
  }

  silent(): void {}

  trace(...line: Line): void {
    this.#own.trace(...line);
  }

  debug(...line: Line): void {
    this.#own.debug(...line);
  }

  info(...line: Line): void {
    this.#own.info(...line);
  }

  warn(...line: Line): void {
    this.#own.warn(...line);
  }

  error(...line: Line): void {
    this.#own.error(...line);
  }

  fatal(...line: Line): void {
    this.#own.fatal(...line);
  }

  child(...more: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#own.child(...more);
  }
}

/** Makes the logger of one request. */
export function requestLog(parent: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger {
  return new RequestLog(parent, bindings) as unknown as FastifyBaseLogger;
}
