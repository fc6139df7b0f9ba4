import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Address } from '../../site/addresses.ts';
import type { Audience, SiteServices } from '../../site/services.ts';
import type { ExchangeKind, PageExchange } from '../pipeline/exchange.ts';
import type { Visitor } from '../visitor.ts';
import type { PageUrl } from './page-url.ts';

/** A request as the steps see it. What few of them look at is worked out when they do. */
export class RequestExchange implements PageExchange {
  readonly id: string;
  readonly method: string;
  readonly kind: ExchangeKind;
  readonly path: string;
  readonly search: string;
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly log: FastifyBaseLogger;
  readonly cookies: string[] = [];
  readonly buckets: Record<string, string> = {};
  readonly answerHeaders: Record<string, string> = {};
  facts: Record<string, string | number> | null = null;
  audience: Audience = {};
  services: SiteServices | null = null;
  readonly #request: FastifyRequest;
  readonly #origin: URL;

  /** @param origin the public one */
  constructor(request: FastifyRequest, url: PageUrl, origin: URL) {
    this.#request = request;
    this.#origin = origin;
    this.id = request.id;
    this.method = request.method;
    this.path = url.path;
    this.search = url.search;
    this.kind = url.kind;
    this.address = url.address;
    this.headers = request.headers;
    this.log = request.log;
  }

  get body(): Buffer | undefined {
    const { body } = this.#request;
    return body instanceof Buffer ? body : undefined;
  }

  get host(): string {
    return this.#request.host;
  }

  /** The public origin says whether the outermost proxy speaks TLS, if it is the public host that was asked. */
  get isSecure(): boolean {
    if (this.#request.protocol === 'https') return true;
    return this.#origin.protocol === 'https:' && this.host.toLowerCase() === this.#origin.host;
  }

  get visitor(): Visitor {
    return this.#request.visitor;
  }

  get networkAddress(): string {
    return this.#request.ip;
  }

  get signal(): AbortSignal {
    return this.#request.gone;
  }
}
