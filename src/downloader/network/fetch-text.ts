import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../failures/failures.ts';
import type { Connections } from './connections.ts';
import type { NetworkEvent, TextRequest, TextResponse } from './contracts.ts';
import { decodeBody } from './decoding.ts';
import { pageHeaders, parseContentLength, withoutCredentials } from './headers.ts';
import { HttpExchange } from './http-exchange.ts';
import { connectionFailure, outcomeOf, refusedHostOf } from './network-failures.ts';
import { checkTarget, type HostLists, redirectTarget, sameDomain } from './targets.ts';

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
export const redirectLimit = 3;

export interface TextContext {
  readonly connections: Pick<Connections, 'dispatcherOf'>;
  readonly hosts: HostLists;
  readonly headersTimeoutMs: number;
  /** Limit for a whole response, from the request to its last byte: this implies the lowest accepted rate. */
  readonly textTimeoutMs: number;
  readonly observe: (event: NetworkEvent) => void;
}

/** See `PlatformNetwork.fetchText`. */
export async function fetchText(context: TextContext, request: TextRequest): Promise<TextResponse> {
  const redirects = Math.min(request.maxRedirects, redirectLimit);
  let url = request.url;
  let own = request.headers ?? {};
  for (let hop = 0; ; hop += 1) {
    const response = await fetchOnce(context, request, url, own);
    const { location } = response.headers;
    if (redirects === 0 || location === undefined || !redirectStatuses.has(response.status)) return response;
    if (hop === redirects) throw new Failure('platform_failed', { note: 'too many redirects' });
    try {
      const next = redirectTarget(location, url);
      if (!sameDomain(new URL(next).hostname, new URL(url).hostname)) own = withoutCredentials(own);
      url = next;
    } catch (error) {
      throw new Failure('platform_failed', { cause: error });
    }
  }
}

async function fetchOnce(
  context: TextContext,
  request: TextRequest,
  url: string,
  own: Readonly<Record<string, string>>,
): Promise<TextResponse> {
  const { signal, maxBytes } = request;
  signal.throwIfAborted();
  const stopped = new AbortController();
  const stop = () => stopped.abort(signal.reason);
  const tooSlow = () => stopped.abort(new Failure('platform_timeout', { note: 'the answer took too long' }));
  const timer = setTimeout(tooSlow, context.textTimeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  let exchange: HttpExchange | null = null;
  let outcome: NetworkEvent['outcome'] = 'ok';
  let refusedHost: string | undefined;
  try {
    exchange = await HttpExchange.open({
      dispatcher: context.connections.dispatcherOf(request.egress, request.http ?? '1.1'),
      target: checkTarget(url, request.hosts, context.hosts),
      method: 'GET',
      headers: pageHeaders(own, request.jar?.headerFor(url) ?? null),
      headersTimeoutMs: context.headersTimeoutMs,
      bodyIdleMs: context.textTimeoutMs,
      signal: stopped.signal,
    });
    const { status, http } = exchange;
    const headers = flatHeaders(exchange.headers);
    const setCookies = setCookiesOf(exchange.headers);
    request.jar?.store(url, setCookies);
    const chunks = await collect(exchange, headers['content-length'] ?? '', maxBytes);
    const body = decodeBody(chunks, headers['content-encoding'] ?? '', maxBytes);
    if (status >= 400) outcome = 'refused';
    return { status, http, headers, setCookies, body, url };
  } catch (error) {
    outcome = outcomeOf(error, signal);
    refusedHost = refusedHostOf(error);
    if (signal.aborted) throw signal.reason;
    throw connectionFailure(error, 'platform_failed');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // Destroys the rest of an abandoned response; no effect on a complete one.
    exchange?.stop();
    context.observe({
      hosts: request.hosts,
      outcome,
      status: exchange?.status ?? 0,
      bytes: exchange?.received ?? 0,
      ...(refusedHost !== undefined && { refusedHost }),
    });
  }
}

/** The bytes as they came over the wire; at most as many as the decoded text may have. */
async function collect(exchange: HttpExchange, contentLength: string, maxBytes: number): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let isTooLarge = (parseContentLength(contentLength) ?? 0) > maxBytes;
  while (!isTooLarge) {
    const chunk = await exchange.next();
    if (chunk === null) return chunks;
    chunks.push(chunk);
    isTooLarge = exchange.received > maxBytes;
  }
  throw new Failure('platform_failed', { note: `more than ${maxBytes} bytes` });
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue;
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function setCookiesOf(headers: IncomingHttpHeaders): readonly string[] {
  const lines: string | string[] | undefined = headers['set-cookie'];
  if (lines === undefined) return [];
  return typeof lines === 'string' ? [lines] : lines;
}
