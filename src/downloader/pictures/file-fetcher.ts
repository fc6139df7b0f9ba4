import { asFailure, Failure } from '../../failures/failures.ts';
import { heifFormat, imageFormat, isGif } from '../../images/open-image.ts';
import { waitIn } from '../async/turns.ts';
import { isMp4 as startsAsMp4 } from '../media/mp4/top-level-boxes.ts';
import { chunksOf, type PlatformNetwork } from '../network/contracts.ts';
import type { MediaSource } from '../post/post.ts';

/** Checks bytes; returns the reason why they are not acceptable, or null. */
type Look = (bytes: Buffer) => string | null;

/** Enough to recognise a picture or an mp4. */
export const sniffedBytes = 12;

/** Reads only the first {@link sniffedBytes}. */
export const isPicture: Look = (bytes) =>
  imageFormat(bytes) === null && heifFormat(bytes) === null && !isGif(bytes) ? 'not a picture' : null;

/** Reads only the first {@link sniffedBytes}. */
export const isMp4: Look = (bytes) =>
  startsAsMp4(bytes) && heifFormat(bytes) === null ? null : 'not an mp4';

/**
 * Bytes that all takers together may hold, each of them less than that; who finds no room waits for a while, in the
 * order of coming.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #patienceMs: number;
  /** Those who wait, with the bytes that they want. */
  readonly #waiting = new Map<() => void, number>();
  #used = 0;

  /** @param patienceMs who has waited this long is refused */
  constructor(maxBytes: number, patienceMs: number) {
    this.#maxBytes = maxBytes;
    this.#patienceMs = patienceMs;
  }

  /**
   * @returns a function that releases the bytes; may be called more than once
   * @throws Failure `overloaded`, or the signal's reason
   */
  async take(bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.size > 0 || this.#used + bytes > this.#maxBytes) await this.#turn(bytes, signal);
    else this.#used += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#used -= bytes;
      this.#letIn();
    };
  }

  async #turn(bytes: number, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const giveUp = () => late.abort(new Failure('overloaded', { retryAfterS: 5, note: 'too many pictures' }));
    const timer = setTimeout(giveUp, this.#patienceMs);
    try {
      await waitIn(this.#waiting, bytes, AbortSignal.any([signal, late.signal]));
    } catch (reason) {
      this.#letIn();
      throw reason;
    } finally {
      clearTimeout(timer);
    }
  }

  #letIn(): void {
    for (const [go, bytes] of this.#waiting) {
      if (this.#used + bytes > this.#maxBytes) return;
      this.#used += bytes;
      go();
    }
  }
}

/** Larger than any picture of the platform and any slide's few seconds of video; a larger file is something else. */
const maxBytes = 24 * 2 ** 20;
/** Memory of all fetched files that are not yet sent or resized. */
const maxHeldBytes = 64 * 2 ** 20;
const patienceMs = 10_000;
/** Attempts for a file whose transfer breaks off, in all; at least one for each address. */
const leastAttempts = 3;

interface FileRequest {
  readonly source: MediaSource;
  /** Reads no more than this many bytes; null for the whole file. */
  readonly end: number | null;
  readonly look: Look;
  readonly signal: AbortSignal;
}

/** A file, which takes its part of the memory until it is released. */
interface FetchedFile {
  readonly bytes: Buffer;
  release(): void;
}

/** Fetches small files whole, within a bound on the memory of all of them. */
export class FileFetcher {
  readonly #network: Pick<PlatformNetwork, 'openMedia'>;
  readonly #budget = new ByteBudget(maxHeldBytes, patienceMs);

  constructor(network: Pick<PlatformNetwork, 'openMedia'>) {
    this.#network = network;
  }

  /**
   * Has a file from whichever of its addresses gives it whole, again from the first when each broke off.
   * @throws Failure `media_…`, `overloaded`, or the signal's reason
   */
  async fetch(fetch: FileRequest): Promise<FetchedFile> {
    const { urls } = fetch.source;
    const attempts = Math.max(leastAttempts, urls.length);
    let first = 0;
    for (let attempt = 1; ; attempt++) {
      let wasOpened = false;
      const source = { ...fetch.source, urls: urls.slice(first) };
      try {
        return await this.#fetchOnce({ ...fetch, source }, (mirror) => {
          wasOpened = true;
          first = (first + mirror + 1) % urls.length;
        });
      } catch (thrown) {
        const { key } = asFailure(thrown);
        // A file that every address refuses is not requested again, nor is one that is broken at every address.
        const isOver = !wasOpened && source.urls.length === urls.length;
        const isWrongEverywhere = key === 'media_invalid' && first === 0;
        if (isOver || isWrongEverywhere || key === 'overloaded' || attempt >= attempts) throw thrown;
        fetch.signal.throwIfAborted();
        if (!wasOpened) first = 0;
      }
    }
  }

  /** One attempt. @param opened called with the address that responded */
  async #fetchOnce(
    { source, end, look, signal }: FileRequest,
    opened: (mirror: number) => void,
  ): Promise<FetchedFile> {
    const flow = await this.#network.openMedia({ source, start: 0, end, isUnbounded: true, signal });
    const { length } = flow;
    opened(flow.mirror);
    let release = () => {};
    try {
      if (length !== null && length > maxBytes)
        throw new Failure('media_invalid', { note: `file of ${length} bytes` });
      release = await this.#budget.take(end ?? length ?? maxBytes, signal);
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of chunksOf(flow)) {
        received += chunk.length;
        if (received > maxBytes) throw new Failure('media_invalid', { note: 'endless file' });
        chunks.push(chunk);
        // A server without ranges sends more than requested.
        if (end !== null && received > end) break;
      }
      const bytes = Buffer.concat(chunks);
      const fault = look(bytes);
      if (fault !== null) throw new Failure('media_invalid', { note: fault });
      return { bytes, release };
    } catch (thrown) {
      release();
      signal.throwIfAborted();
      throw asFailure(thrown, 'media_unavailable');
    } finally {
      flow.stop();
    }
  }
}
