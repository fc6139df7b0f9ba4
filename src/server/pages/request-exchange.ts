import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { Failure } from '../../downloader/failures.ts';
import type { Address } from '../../site/addressing/addresses.ts';
import type { Audience, SiteServices } from '../../site/loaders/services.ts';
import { whenLeaving } from '../leaving.ts';
import type { ServerParts } from '../parts.ts';
import type { ExchangeKind, PageExchange } from '../pipeline/exchange.ts';
import type { Visitor } from '../visitor.ts';
import type { PageUrl } from './page-url.ts';

/** What a request is understood with. */
type Surroundings = Pick<ServerParts, 'forwarded' | 'nameVisitor' | 'logger'>;

/** A request as the steps see it. What few of them look at is worked out when they do. */
export class RequestExchange implements PageExchange {
  readonly id: string;
  readonly method: string;
  readonly kind: ExchangeKind;
  readonly path: string;
  readonly search: string;
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  readonly refusal: Failure | null;
  readonly cookies: string[] = [];
  readonly buckets: Record<string, string> = {};
  readonly answerHeaders: Record<string, string> = {};
  facts: Record<string, string | number> | null = null;
  audience: Audience = {};
  services: SiteServices | null = null;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #parts: Surroundings;
  #log: FastifyBaseLogger | null = null;
  #signal: AbortSignal | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    url: PageUrl,
    parts: Surroundings,
    sent?: Buffer | Failure,
  ) {
    this.#request = request;
    this.#response = response;
    this.#parts = parts;
    this.id = id;
    this.method = request.method ?? '';
    this.path = url.path;
    this.search = url.search;
    this.kind = url.kind;
    this.address = url.address;
    this.headers = request.headers;
    this.body = sent instanceof Buffer ? sent : undefined;
    this.refusal = sent instanceof Failure ? sent : null;
  }

  get host(): string {
    return this.#parts.forwarded.host(this.#request);
  }

  get isSecure(): boolean {
    return this.#parts.forwarded.isSecure(this.#request);
  }

  get visitor(): Visitor {
    return this.#parts.nameVisitor(this.networkAddress);
  }

  get networkAddress(): string {
    return this.#parts.forwarded.address(this.#request);
  }

  get signal(): AbortSignal {
    this.#signal ??= whenLeaving(this.#response);
    return this.#signal;
  }

  get log(): FastifyBaseLogger {
    this.#log ??= this.#parts.logger.child({ reqId: this.id }) as FastifyBaseLogger;
    return this.#log;
  }
}
