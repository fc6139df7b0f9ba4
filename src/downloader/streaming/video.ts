import type { Writable } from 'node:stream';
import { Failure } from '../../failures/failures.ts';
import { isMp4 } from '../media/mp4/top-level-boxes.ts';
import type { MediaFlow, PlatformNetwork } from '../network/contracts.ts';
import { connectionFailure } from '../network/network-failures.ts';
import type { MediaSource } from '../post/post.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';
import { ifRangeHolds, parseRange, type RangeRequest, resolveRange } from './ranges.ts';
import { type RelayResult, relay } from './relay.ts';
import { ResumableSource } from './resumable-source.ts';
import { firstBytes, ResumingFlow } from './resuming-flow.ts';

export interface VideoRequest {
  readonly network: Pick<PlatformNetwork, 'openMedia'>;
  readonly source: MediaSource;
  /** The client's `Range` header. */
  readonly range?: string | undefined;
  /** The client's `If-Range` header; needs `etagOf`. */
  readonly ifRange?: string | undefined;
  /** The file's strong validator, quotes included, once its size is known. */
  readonly etagOf?: (size: number | null) => string;
  /** Only the facts are requested (`HEAD`): just a few bytes are read. */
  readonly head?: boolean;
  /** Reads the post again when the addresses have expired; called at most once. */
  readonly refresh?: RefreshSource | undefined;
  /** Ends the opening and the transfer. */
  readonly signal: AbortSignal;
  /** A client that takes hardly any bytes for this long is given up. */
  readonly targetIdleMs?: number;
}

/** A video that can be answered with: everything the answer's head needs, and then its bytes. */
export interface OpenedVideo {
  readonly status: 200 | 206 | 416;
  /** Size of the whole file; null when the platform does not say. */
  readonly size: number | null;
  /** First byte of the answer's body. */
  readonly start: number;
  /** Bytes of the answer's body; null when the platform does not say. */
  readonly length: number | null;
  readonly etag: string | null;
  /** Whether it supports ranges. */
  readonly hasRanges: boolean;
  /** Sends the body and ends or destroys the target. Never rejects. */
  pipeTo(target: Writable): Promise<RelayResult>;
  /** Closes the connection to the platform when the body is not needed. */
  close(): void;
}

/** Bytes that identify an mp4: a box length and `ftyp` (ISO/IEC 14496-12, 4.3). */
const sniffedBytes = 12;
/** They come with the head of the answer, or something is wrong. */
const firstBytesLimitMs = 6000;

/**
 * Opens a video for a client. Resolves when everything is known that can be known before the first byte: that an
 * address responds, that it is an mp4, its size, and the bytes of the client's range.
 * @throws Failure `media_invalid`, `media_unavailable`, `platform_timeout`, … or the signal's reason
 */
export async function openVideo(request: VideoRequest): Promise<OpenedVideo> {
  const { network, signal, etagOf } = request;
  const source = new ResumableSource({ network, source: request.source, refresh: request.refresh });
  let requested = request.ifRange !== undefined && etagOf === undefined ? null : parseRange(request.range);

  // A suffix range cannot be requested before the size is known.
  if (requested?.kind === 'suffix' || request.head) await readSize(source, signal);
  let opening = await openRange(source, requested, request.head === true, signal);
  const etag = etagOf?.(source.size) ?? null;
  if (requested !== null && etag !== null && !ifRangeHolds(request.ifRange, etag)) {
    opening.flow?.stop();
    requested = null;
    opening = await openRange(source, requested, request.head === true, signal);
  }
  const { status, start, end, flow, held } = opening;
  return {
    status,
    size: source.size,
    start,
    length: end === null ? null : end - start,
    etag,
    hasRanges: true,
    close: () => flow?.stop(),
    pipeTo: (target) => {
      if (flow === null) throw new Failure('internal', { note: 'there is no body to send' });
      const { targetIdleMs } = request;
      return relay({
        flow: new ResumingFlow({ source, flow, held, start, end, signal }),
        target,
        targetIdleMs,
        signal,
      });
    },
  };
}

interface Opening {
  readonly status: 200 | 206 | 416;
  readonly start: number;
  readonly end: number | null;
  /** Null when only the facts are requested. */
  readonly flow: MediaFlow | null;
  readonly held: readonly Buffer[];
}

async function openRange(
  source: ResumableSource,
  requested: RangeRequest | null,
  head: boolean,
  signal: AbortSignal,
): Promise<Opening> {
  const settled = source.size === null ? null : resolveRange(requested, source.size);
  if (settled !== null && (head || settled.status === 416)) return { ...settled, flow: null, held: [] };
  if (head) return { status: 200, start: 0, end: null, flow: null, held: [] };

  const wanted = settled ?? {
    start: requested?.kind === 'from' ? requested.first : 0,
    end: requested?.kind === 'from' && requested.last !== null ? requested.last + 1 : null,
  };
  const whole = requested === null;
  const { flow, held } = await openChecked(source, wanted.start, whole ? null : wanted.end, signal).catch(
    async (error: unknown) => {
      if (!(error instanceof Failure) || error.key !== 'range_unsatisfiable') throw error;
      await readSize(source, signal);
      if (source.size === null || source.size > wanted.start) {
        throw new Failure('media_unavailable', { cause: error, note: 'a range inside the file was refused' });
      }
      return { flow: null, held: [] };
    },
  );
  if (flow === null) return { status: 416, start: 0, end: 0, flow, held };
  // A server without ranges sends the whole file, and so do we: the standard allows it.
  if (whole || flow.start < wanted.start) return { status: 200, start: 0, end: source.size, flow, held };
  const end =
    source.size === null
      ? flow.length === null
        ? null
        : Math.min(wanted.end ?? Number.POSITIVE_INFINITY, flow.start + flow.length)
      : Math.min(wanted.end ?? source.size, source.size);
  // Without any size a 206 cannot be written; the whole file from its first byte can.
  if (end === null && wanted.start === 0) return { status: 200, start: 0, end: null, flow, held };
  return { status: 206, start: wanted.start, end, flow, held };
}

/** Learns the size (and that it is an mp4) from the first bytes. */
async function readSize(source: ResumableSource, signal: AbortSignal): Promise<void> {
  const { flow } = await openChecked(source, 0, sniffedBytes, signal);
  // Read to its end, so that its connection serves the next request; stopping earlier would close it.
  if (flow.length !== null && flow.length <= sniffedBytes) await used(flow);
  flow.stop();
}

/** Resolves when no more bytes come: all requested ones are present. */
async function used(flow: MediaFlow): Promise<void> {
  while ((await flow.next().catch(() => null)) !== null);
}

interface CheckedFlow {
  readonly flow: MediaFlow;
  /** Bytes that were read to inspect it. */
  readonly held: readonly Buffer[];
}

/** Opens the file and, at its beginning, looks whether it is an mp4; tries each address before it gives up. */
async function openChecked(
  source: ResumableSource,
  start: number,
  end: number | null,
  signal: AbortSignal,
): Promise<CheckedFlow> {
  let last: unknown;
  for (let attempt = 0; attempt < Math.max(1, source.mirrors); attempt += 1) {
    if (attempt > 0) source.nextMirror();
    const wantedEnd = start < sniffedBytes && end !== null ? Math.max(end, sniffedBytes) : end;
    const flow = await source.open(start, wantedEnd, signal);
    if (flow.start > 0) return { flow, held: [] };
    try {
      const held = await firstBytes(flow, sniffedBytes, firstBytesLimitMs);
      if (isMp4(Buffer.concat(held))) return { flow, held };
      last = new Failure('media_invalid', { note: 'the first bytes are not those of an mp4' });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      last = connectionFailure(error, 'media_unavailable');
    }
    flow.stop();
    // A response that was not the file does not state its size.
    source.size = null;
  }
  throw last;
}
