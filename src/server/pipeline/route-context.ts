import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { Failure } from '../../failures/failures.ts';
import type { Address, AddressConfiguration } from '../../site/addressing/addresses.ts';
import type { Audience, SiteServices } from '../../site/loaders/services.ts';
import { neverAborted } from '../http/disconnect.ts';
import { type PageRequestKind, readPageUrl } from '../http/request-url.ts';
import type { PageResponse } from '../http/responses/response.ts';
import { readCookies, type SentCookies } from '../http/visitor/cookies.ts';
import type { Visitor } from '../http/visitor/visitor.ts';

/** The parts of a request that steps may read: a Fastify request's, or neutral ones. */
export type PageRequest = Pick<
  FastifyRequest,
  'id' | 'method' | 'url' | 'headers' | 'host' | 'ip' | 'isSecure' | 'visitor' | 'disconnected' | 'log'
>;

const anonymousVisitor: Visitor = { key: '', block: '' };

/** One page request in the route steps. */
export class RouteContext {
  /** Shown on error screens and found in the log. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly kind: PageRequestKind;
  /** The requested path; percent-encoding is not decoded. Begins with one or more "/". */
  readonly path: string;
  /** With its "?", or empty. */
  readonly search: string;
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  /** Why the form that was sent could not be read. */
  readonly refusal: Failure | null;
  /** The requested host name and port, as a trusted proxy states them. */
  readonly host: string;
  /** Whether the visitor's connection is known to be encrypted. */
  readonly isSecure: boolean;
  readonly log: FastifyBaseLogger;
  /** `Set-Cookie` lines of this response: they never become part of a cached page. */
  readonly cookies: string[] = [];
  /** The variants of experiments that this visitor is in, by the experiment's name. */
  readonly buckets: Record<string, string> = {};
  /** Headers of this response that no cached page has. */
  readonly responseHeaders: Record<string, string> = {};
  /** Seconds for which a proxy or CDN in front may store the response for all visitors; 0 when it may not. */
  sharedS = 0;
  /** Further fields of this request's access log line; null when there is none. */
  facts: Record<string, string | number> | null = null;
  /**
   * Request properties that the page may depend on besides its address; empty unless the cache's key format names them.
   */
  audience: Audience = {};
  /** The services of the page's loaders; set by a step. */
  services: SiteServices | null = null;
  readonly #request: PageRequest;
  #sentCookies: SentCookies | null = null;

  /** @param sent what a form sent, or why it could not be read */
  constructor(request: PageRequest, configuration: AddressConfiguration, sent?: Buffer | Failure) {
    this.#request = request;
    this.id = request.id;
    this.method = request.method;
    this.headers = request.headers;
    this.host = request.host;
    this.isSecure = request.isSecure;
    this.log = request.log;
    const { kind, path, search, address } = readPageUrl(request.url, configuration);
    this.kind = kind;
    this.path = path;
    this.search = search;
    this.address = address;
    this.body = sent instanceof Buffer ? sent : undefined;
    this.refusal = sent instanceof Failure ? sent : null;
  }

  /**
   * The exchange of a page for everybody: it holds what the cache's key says and nothing else of the visitor's request,
   * so that nothing else can reach the page.
   */
  static forEverybody(
    { id, log, audience }: RouteContext,
    url: string,
    origin: URL,
    configuration: AddressConfiguration,
  ): RouteContext {
    const isSecure = origin.protocol === 'https:';
    const line = { method: 'GET', url, headers: {}, host: origin.host, isSecure };
    const request = { id, log, ...line, ip: '', visitor: anonymousVisitor, disconnected: neverAborted };
    const context = new RouteContext(request, configuration);
    context.audience = audience;
    return context;
  }

  /** The value of a cookie that the visitor sent, or null. */
  sentCookie(name: string): string | null {
    this.#sentCookies ??= readCookies(this.headers.cookie);
    return this.#sentCookies[name] ?? null;
  }

  get visitor(): Visitor {
    return this.#request.visitor;
  }

  /** The raw network address; must not be stored unless the site's consent setting allows it. */
  get networkAddress(): string {
    return this.#request.ip;
  }

  /** Aborted when the client went away. */
  get signal(): AbortSignal {
    return this.#request.disconnected;
  }
}

/** A step, with all steps after it. */
export type Handle = (context: RouteContext) => PageResponse | Promise<PageResponse>;

/** One step of a page request. */
export interface RouteStep {
  /** Its name in the site configuration's `route_steps`. */
  readonly name: string;
  /** Wraps the following steps. Called once at start. */
  before(next: Handle): Handle;
}
