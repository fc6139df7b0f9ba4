import type { ByteSource } from '../media/contracts.ts';
import { partOf, releaseChunk } from '../network/memory.ts';
import { byteSourceOf } from '../streaming/byte-source.ts';
import type { ResumableSource } from '../streaming/resumable-source.ts';
import { checkAhead, endedEarly, type Feed } from './feed.ts';
import { FlowFeed } from './flow-feed.ts';
import type { Span } from './layouts/layout.ts';

/** Fetched at once: a request costs about as much as passing 128 kB on. Of a usual sound these are sixteen seconds. */
const windowBytes = 256 * 1024;

interface Window {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * Reads an original window by window, prefetching the next one: for the smaller of the two files, of which a few
 * kilobytes are needed at a time. A permanent connection would idle most of the time, and servers close idle ones; it
 * would also occupy a second of the shared download connections. A server without ranges would send the whole file for
 * each window: there it is one connection nevertheless.
 */
export class WindowFeed implements Feed {
  position: number;
  readonly #source: ResumableSource;
  readonly #bytes: ByteSource;
  readonly #end: number | null;
  readonly #stopped = new AbortController();
  readonly #signal: AbortSignal;
  /** Others may have it, too. */
  readonly #known: Window;
  #window: Window;
  #next: { readonly offset: number; readonly bytes: Promise<Buffer> } | null = null;

  private constructor(source: ResumableSource, { start, end }: Span, known: Window, signal: AbortSignal) {
    this.#source = source;
    this.#bytes = byteSourceOf(source);
    this.#end = end ?? source.size;
    this.#signal = AbortSignal.any([signal, this.#stopped.signal]);
    this.#known = known;
    this.#window = known;
    this.position = start;
  }

  /**
   * Resolves when the first bytes are present.
   * @param known bytes of the file that were read before
   * @throws Failure `media_unavailable`, … or the signal's reason
   */
  static async open(source: ResumableSource, span: Span, known: Window, signal: AbortSignal): Promise<Feed> {
    const isKnown = span.end !== null && span.end <= known.bytes.length;
    if (!source.hasRanges && !isKnown) return FlowFeed.open(source, span, signal);
    const feed = new WindowFeed(source, span, known, signal);
    if (feed.#held === 0) await feed.#advance();
    return feed;
  }

  get resumes(): number {
    return this.#source.resumes;
  }

  take(most: number): Buffer | null {
    return this.#held > 0 ? this.#take(Math.min(most, this.#held)) : null;
  }

  async fill(): Promise<void> {
    if (this.#held === 0) await this.#advance();
    if (this.#held === 0) throw endedEarly();
  }

  async skipTo(offset: number): Promise<void> {
    checkAhead(offset, this.position);
    this.position = offset;
  }

  async isOver(): Promise<boolean> {
    if (this.#end !== null) return this.position >= this.#end;
    if (this.#held === 0) await this.#advance();
    return this.#held === 0;
  }

  stop(): void {
    this.#stopped.abort(stopped);
  }

  /** Number of bytes present from the position on. */
  get #held(): number {
    const { offset, bytes } = this.#window;
    const end = Math.min(offset + bytes.length, this.#end ?? Number.POSITIVE_INFINITY);
    return this.position < offset ? 0 : Math.max(0, end - this.position);
  }

  #take(length: number): Buffer {
    this.#lookAhead();
    const { offset, bytes } = this.#window;
    const from = this.position - offset;
    this.position += length;
    if (this.#window === this.#known) return bytes.subarray(from, from + length);
    const taken = partOf(bytes, from, from + length);
    if (from + length === bytes.length) releaseChunk(bytes);
    return taken;
  }

  async #advance(): Promise<void> {
    const offset = this.position;
    const bytes = await (this.#next?.offset === offset ? this.#next.bytes : this.#fetch(offset));
    this.#next = null;
    this.#window = { offset, bytes };
  }

  #lookAhead(): void {
    const offset = this.#window.offset + this.#window.bytes.length;
    if (this.#next !== null || this.#end === null || offset >= this.#end) return;
    this.#next = { offset, bytes: this.#fetch(offset) };
    // Awaited when it becomes the current window.
    this.#next.bytes.catch(() => {});
  }

  #fetch(start: number): Promise<Buffer> {
    const length = this.#end === null ? windowBytes : Math.min(windowBytes, this.#end - start);
    return this.#bytes.read(start, Math.max(0, length), this.#signal);
  }
}

const stopped = new Error('no longer wanted');
