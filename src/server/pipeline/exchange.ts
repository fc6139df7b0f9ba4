import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Failure } from '../../downloader/failures.ts';
import type { Address } from '../../site/addressing/addresses.ts';
import type { Audience, SiteServices } from '../../site/loaders/services.ts';
import type { Visitor } from '../visitor.ts';

/**
 * What is asked for: a document, the data with which the browser's router changes to a page, or a list of the
 * router's modules.
 */
export type ExchangeKind = 'document' | 'data' | 'manifest';

/** The path of the page whose document, or whose data (React Router's single fetch), is asked for at a path. */
export function pagePath(path: string, kind: ExchangeKind): string {
  if (kind !== 'data') return path;
  return path.endsWith('/_.data') ? path.slice(0, -'_.data'.length) : path.slice(0, -'.data'.length);
}

/** One request for a page on its way through the steps. */
export interface PageExchange {
  /** Shown on error screens and found in the log. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly kind: ExchangeKind;
  /** As it was asked; percent-encoding is left alone. Begins with one or more "/". */
  readonly path: string;
  /** With its "?", or empty. */
  readonly search: string;
  readonly address: Address;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  /** Why the form that was sent could not be read. */
  readonly refusal: Failure | null;
  /** The host name and port that were asked, as a trusted proxy says. */
  readonly host: string;
  /** Whether the visitor's connection is known to be encrypted. */
  readonly isSecure: boolean;
  readonly visitor: Visitor;
  /** The raw network address; must not be kept unless the site's consent setting allows it. */
  readonly networkAddress: string;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
  readonly log: FastifyBaseLogger;
  /** `Set-Cookie` lines of this answer alone: they never become part of a kept page. */
  readonly cookies: string[];
  /** The halves of tests that this visitor is in, by the test's name. */
  readonly buckets: Record<string, string>;
  /** Headers of this answer alone, which no kept page has. */
  readonly answerHeaders: Record<string, string>;
  /** What the access log says about this request besides the usual; null when nobody writes one. */
  facts: Record<string, string | number> | null;
  /** What a page may depend on besides its address; empty unless the cache's key format names it. */
  audience: Audience;
  /** What the page's loaders may ask; put here by a step. */
  services: SiteServices | null;
}

/** A page in the forms in which it is sent. */
interface EncodedBody {
  /** Without its quotes. */
  readonly tag: string;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** What goes back. */
export interface PageAnswer {
  readonly status: number;
  /** Names in lower case; without `set-cookie`, `etag`, lengths and encodings, which belong to the sending. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** Empty when the answer is kept: it is then `encoded`, and sent without compressing it again. */
  readonly body: Buffer;
  readonly encoded?: EncodedBody;
}

/** A part of the way, with everything behind it. */
export type Handle = (exchange: PageExchange) => PageAnswer | Promise<PageAnswer>;

/** One step of a page's way. */
export interface RouteStep {
  /** As the site configuration's `route_steps` names it. */
  readonly name: string;
  /** Puts the step in front of the rest of the way. Called once at start. */
  before(next: Handle): Handle;
}

/** An answer of a few words. */
export function shortAnswer(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): PageAnswer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: Buffer.from(body),
  };
}
