import { errors } from 'undici';
import { Failure } from '../../../failures/failures.ts';
import type { Connections } from '../connections.ts';
import {
  ConnectionReclaimed,
  type MediaFacts,
  type MediaFlow,
  type MediaRequest,
  type NetworkEvent,
} from '../contracts.ts';
import { redirectLimit, redirectStatuses } from '../fetch-text.ts';
import { mediaHeaders, parseContentLength, parseContentRange, withoutCredentials } from '../headers.ts';
import { HttpExchange } from '../http-exchange.ts';
import { isEgressGone, isTimeout, MirrorsExhausted, outcomeOf, refusedHostOf } from '../network-failures.ts';
import { checkTarget, type HostLists, mediaListOf, redirectTarget, sameDomain } from '../targets.ts';
import { LeastRate } from './least-rate.ts';
import type { MediaConnections, ReclaimableConnection } from './media-connections.ts';

export interface MediaContext {
  readonly connections: Pick<Connections, 'dispatcherOf'>;
  readonly hosts: HostLists;
  readonly headersTimeoutMs: number;
  /** A body without progress for this long counts as broken off. */
  readonly mediaIdleMs: number;
  /** A body that brings less on average, over that same time, has broken off too. */
  readonly leastMediaBytesPerS: number;
  /** Limits the connections of flows; null for no limit. */
  readonly mediaConnections: MediaConnections | null;
  readonly observe: (event: NetworkEvent) => void;
}

/** A server answered, but not with the file. */
class ResponseRefused extends Error {
  override readonly name = 'ResponseRefused';
  readonly status: number;

  constructor(status: number, why: string) {
    super(`${status}: ${why}`);
    this.status = status;
  }
}

/** See `PlatformNetwork.openMedia`. */
export async function openMedia(context: MediaContext, request: MediaRequest): Promise<MediaFlow> {
  await context.mediaConnections?.take(request.signal);
  try {
    return await openAnyMirror(context, request);
  } catch (error) {
    context.mediaConnections?.give();
    throw error;
  }
}

async function openAnyMirror(context: MediaContext, request: MediaRequest): Promise<MediaFlow> {
  const errors: unknown[] = [];
  for (const [mirror, url] of request.source.urls.entries()) {
    try {
      return await openMirror(context, request, url, mirror);
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      errors.push(error);
    }
  }
  const refusals = errors.filter((error) => error instanceof ResponseRefused);
  if (refusals.some(({ status }) => status === 416)) {
    throw new Failure('range_unsatisfiable', { cause: new MirrorsExhausted(errors, false) });
  }
  const isEach = (of: (error: unknown) => boolean) => errors.length > 0 && errors.every(of);
  const isElsewhere = isEach((error) => refusedHostOf(error) !== undefined);
  const otherwise = isElsewhere ? 'media_host_unknown' : 'media_unavailable';
  throw new Failure(isEach(isTimeout) ? 'platform_timeout' : otherwise, {
    cause: new MirrorsExhausted(errors, refusals.length > 0 || errors.some(isEgressGone)),
  });
}

async function openMirror(
  context: MediaContext,
  request: MediaRequest,
  firstUrl: string,
  mirror: number,
): Promise<MediaFlow> {
  const { start, end, signal } = request;
  // Also for the whole file: the response to a range states the size even when it states no length.
  const range = request.whole ? null : `bytes=${start}-${end === null ? '' : end - 1}`;
  const hosts = mediaListOf(firstUrl, context.hosts);
  let url = firstUrl;
  let own = request.source.headers;
  for (let hop = 0; ; hop += 1) {
    const report = (outcome: NetworkEvent['outcome'], exchange: HttpExchange | null, refusedHost?: string) =>
      context.observe({
        hosts,
        outcome,
        status: exchange?.status ?? 0,
        bytes: exchange?.received ?? 0,
        ...(refusedHost !== undefined && { refusedHost }),
      });
    let exchange: HttpExchange;
    try {
      exchange = await HttpExchange.open({
        dispatcher: context.connections.dispatcherOf(request.source.egress, '1.1'),
        target: checkTarget(url, hosts, context.hosts),
        method: 'GET',
        headers: mediaHeaders(own, range),
        headersTimeoutMs: context.headersTimeoutMs,
        bodyIdleMs: context.mediaIdleMs,
        signal,
      });
    } catch (error) {
      report(outcomeOf(error, signal), null, refusedHostOf(error));
      throw error;
    }
    try {
      const location = exchange.headers.location;
      if (redirectStatuses.has(exchange.status) && location !== undefined) {
        if (hop === redirectLimit) throw new ResponseRefused(exchange.status, 'too many redirects');
        const next = redirectTarget(location, url);
        if (!sameDomain(new URL(next).hostname, new URL(url).hostname)) own = withoutCredentials(own);
        url = next;
        exchange.stop();
        report('ok', exchange);
        continue;
      }
      const facts = factsOf(exchange, start, end, mirror);
      return new BoundedFlow(context, exchange, facts, (left) => {
        report(left instanceof Error ? outcomeOf(left, signal) : left, exchange);
      });
    } catch (error) {
      exchange.stop();
      report('refused', exchange);
      throw error;
    }
  }
}

/** Reads the head of an answer; throws when it cannot be the file. */
function factsOf(exchange: HttpExchange, start: number, end: number | null, mirror: number): MediaFacts {
  const { status, headers } = exchange;
  const contentType = String(headers['content-type'] ?? '').toLowerCase();
  if (status !== 200 && status !== 206) throw new ResponseRefused(status, 'not a file');
  if (/^(?:text\/|application\/(?:json|xml|xhtml))/.test(contentType)) {
    throw new ResponseRefused(status, `content type ${contentType}`);
  }
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (encoding !== '' && encoding !== 'identity') throw new ResponseRefused(status, 'compressed');
  const announced = parseContentLength(String(headers['content-length'] ?? ''));
  if (announced === 0) throw new ResponseRefused(status, 'empty');
  if (status === 200) return { size: announced, start: 0, length: announced, contentType, mirror };

  const range = parseContentRange(String(headers['content-range'] ?? ''));
  if (range === null || range.start !== start || (end !== null && range.end > end)) {
    throw new ResponseRefused(status, 'another range than the one asked for');
  }
  const length = range.end - range.start;
  if (announced !== null && announced !== length) throw new ResponseRefused(status, 'lengths contradict');
  return { size: range.size, start, length, contentType, mirror };
}

/** Holds a body to the length that was announced: no more is given, and less is a failure. */
class BoundedFlow implements MediaFlow, ReclaimableConnection {
  readonly size: number | null;
  readonly start: number;
  readonly length: number | null;
  readonly contentType: string;
  readonly mirror: number;

  readonly #exchange: HttpExchange;
  readonly #left: (how: 'ok' | 'aborted' | Error) => void;
  readonly #rate: LeastRate;
  readonly #connections: MediaConnections | null;
  #remaining: number;
  /** The connection waits for the reader. */
  #isHeld = true;
  /** Set at the end of the body; `error` is null for a complete one. */
  #ended: { readonly error: Error | null } | null = null;

  constructor(
    { mediaIdleMs, leastMediaBytesPerS, mediaConnections }: MediaContext,
    exchange: HttpExchange,
    facts: MediaFacts,
    left: (how: 'ok' | 'aborted' | Error) => void,
  ) {
    this.size = facts.size;
    this.start = facts.start;
    this.length = facts.length;
    this.contentType = facts.contentType;
    this.mirror = facts.mirror;
    this.#exchange = exchange;
    this.#left = left;
    this.#connections = mediaConnections;
    this.#remaining = facts.length ?? Number.POSITIVE_INFINITY;
    this.#rate = new LeastRate(mediaIdleMs, (leastMediaBytesPerS * mediaIdleMs) / 1000, () =>
      exchange.fail(new errors.BodyTimeoutError('the body comes too slowly')),
    );
    // The rest can be requested later.
    const isReclaimable = exchange.status === 206 && facts.size !== null;
    exchange.onHeld = () => {
      this.#isHeld = true;
      this.#rate.pause();
      if (isReclaimable) mediaConnections?.markIdle(this);
    };
  }

  async next(): Promise<Buffer | null> {
    if (this.#ended !== null) return this.#afterEnd();
    if (this.#isHeld) {
      this.#isHeld = false;
      this.#rate.run();
      this.#connections?.markActive(this);
    }
    try {
      const chunk = await this.#exchange.next();
      if (chunk !== null) return this.#count(chunk);
      const isShort = Number.isFinite(this.#remaining) && this.#remaining > 0;
      this.#end(isShort ? new Error(`the body ended ${this.#remaining} bytes early`) : null);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error('the body broke off', { cause: error }));
    }
    return this.#afterEnd();
  }

  stop(): void {
    if (this.#ended !== null) return;
    this.#end(stopped, 'aborted');
    this.#exchange.stop();
  }

  reclaim(): void {
    this.#end(new ConnectionReclaimed(), 'aborted');
    this.#exchange.stop();
  }

  #afterEnd(): null {
    if (this.#ended?.error) throw this.#ended.error;
    return null;
  }

  #count(chunk: Buffer): Buffer | null {
    this.#rate.count(chunk.length);
    if (chunk.length <= this.#remaining) {
      this.#remaining -= chunk.length;
      return chunk;
    }
    const last = chunk.subarray(0, this.#remaining);
    this.#end(null);
    this.#exchange.stop();
    return last.length > 0 ? last : null;
  }

  #end(error: Error | null, how: 'ok' | 'aborted' | Error = error ?? 'ok'): void {
    if (this.#ended !== null) return;
    this.#ended = { error };
    this.#rate.end();
    this.#connections?.markActive(this);
    this.#connections?.give();
    this.#left(how);
  }
}

const stopped = new Error('no longer wanted');
