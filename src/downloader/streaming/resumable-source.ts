import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../failures.ts';
import type { MediaFacts, MediaRequest } from '../network/contracts.ts';
import { MirrorsExhausted } from '../network/network-failures.ts';
import type { MediaSource } from '../posts/post.ts';

/** Reads the post again for fresh addresses of the same file. */
export type RefreshSource = (signal: AbortSignal) => Promise<MediaSource>;

export interface ResumableOptions<Answer extends MediaFacts> {
  readonly open: (request: MediaRequest) => Promise<Answer>;
  /** Closes an answer that is not used. */
  readonly discard: (answer: Answer) => void;
  readonly source: MediaSource;
  /** Asked at most once. */
  readonly refresh?: RefreshSource | undefined;
  /** Size that an earlier answer gave; every later one must agree. */
  readonly size?: number | null | undefined;
}

/** Attempts in a row that may bring less than {@link progressBytes}. */
const attemptsWithoutProgress = 4;
const progressBytes = 64 * 1024;
const firstDelayMs = 150;

/**
 * Opens one file again and again at any offset, from whichever of its addresses works, and makes sure that it is the
 * same file each time: bytes of two files are never mixed.
 */
export class ResumableSource<Answer extends MediaFacts> {
  /** Size of the file; null until an answer told it. */
  size: number | null;
  /** Times the file was opened again after it had broken off. */
  resumes = 0;

  readonly #options: ResumableOptions<Answer>;
  #source: MediaSource;
  #refreshed = false;
  #attempts = 0;
  #lastPosition = 0;

  constructor(options: ResumableOptions<Answer>) {
    this.#options = options;
    this.#source = options.source;
    this.size = options.size ?? null;
  }

  get mirrors(): number {
    return this.#source.urls.length;
  }

  /** Puts the address in use behind the others. */
  nextMirror(): void {
    this.#rotate(1);
  }

  /**
   * Opens the file; asks for fresh addresses once when the present ones are refused. The answer may begin before
   * `start` (a server without ranges), never after it.
   * @throws Failure `media_unavailable`, `range_unsatisfiable`, … or the signal's reason
   */
  async open(start: number, end: number | null, signal: AbortSignal): Promise<Answer> {
    try {
      return await this.#openOnce(start, end, signal);
    } catch (error) {
      const { refresh } = this.#options;
      if (refresh === undefined || this.#refreshed || signal.aborted || !wasRefused(error)) throw error;
      this.#refreshed = true;
      this.#source = await refresh(signal);
      return this.#openOnce(start, end, signal);
    }
  }

  /**
   * Opens the file again at `position`, after it broke off there. The first attempt is for the same address, each
   * further one for the next.
   * @throws Failure when there is no hope, or the signal's reason
   */
  async resume(position: number, end: number | null, cause: unknown, signal: AbortSignal): Promise<Answer> {
    if (this.size === null) {
      throw new Failure('media_unavailable', { cause, note: 'broke off, and its size is unknown' });
    }
    if (position - this.#lastPosition >= progressBytes) this.#attempts = 0;
    this.#lastPosition = position;
    let last = cause;
    while (this.#attempts < attemptsWithoutProgress) {
      const attempt = this.#attempts;
      this.#attempts += 1;
      if (attempt > 0) {
        this.nextMirror();
        await delay(firstDelayMs * 2 ** (attempt - 1), undefined, { signal });
      }
      try {
        const answer = await this.open(position, end, signal);
        this.resumes += 1;
        return answer;
      } catch (error) {
        if (signal.aborted) throw error;
        last = error;
      }
    }
    throw new Failure('media_unavailable', { cause: last, note: `broke off at ${position} for good` });
  }

  async #openOnce(start: number, end: number | null, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#options.open({ source: this.#source, start, end, signal });
    this.#rotate(answer.mirror);
    if (answer.start > start || (this.size !== null && answer.size !== this.size)) {
      this.#options.discard(answer);
      throw new Failure('media_unavailable', {
        note: `another file: ${answer.size} bytes, not ${this.size}`,
      });
    }
    this.size = answer.size;
    return answer;
  }

  #rotate(by: number): void {
    const { urls } = this.#source;
    this.#source = { ...this.#source, urls: [...urls.slice(by), ...urls.slice(0, by)] };
  }
}

function wasRefused(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof MirrorsExhausted && error.cause.refused;
}
