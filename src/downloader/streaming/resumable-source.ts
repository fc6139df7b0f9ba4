import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../failures/failures.ts';
import type { MediaFlow, PlatformNetwork } from '../network/contracts.ts';
import { MirrorsExhausted } from '../network/network-failures.ts';
import type { MediaSource } from '../post/post.ts';
import type { RefreshSource } from '../posts/fresh-source.ts';

export interface ResumableOptions {
  readonly network: Pick<PlatformNetwork, 'openMedia'>;
  readonly source: MediaSource;
  /** Called at most once. */
  readonly refresh?: RefreshSource | undefined;
  /** Size that an earlier answer gave; every later one must agree. */
  readonly size?: number | null | undefined;
  /** Whether its connections are beyond the bound: for a reader that waits for no client. */
  readonly isUnbounded?: boolean;
}

/** Attempts in a row that may bring less than {@link progressBytes}. */
const attemptsWithoutProgress = 4;
const progressBytes = 64 * 1024;
const firstDelayMs = 100;

/** The attempts of one reader of a file; concurrent readers each have their own. */
export class ResumeBudget {
  attempts = 0;
  position = 0;
  /** How often the file was reopened after an interruption. */
  resumes = 0;
}

/**
 * Opens one file repeatedly at any offset, from whichever of its addresses works, and verifies that it is the same file
 * each time: bytes of two files are never mixed.
 */
export class ResumableSource {
  /** Size of the file; null until a response states it. */
  size: number | null;
  /** False once a range was answered with the whole file. */
  hasRanges = true;
  /** How often it was reopened after an interruption, by all its readers. */
  resumes = 0;

  readonly #options: ResumableOptions;
  #source: MediaSource;
  #refreshing: Promise<void> | null = null;
  /** Counts the sources: 0 before the refresh, 1 after it. */
  #generation = 0;

  constructor(options: ResumableOptions) {
    this.#options = options;
    this.#source = options.source;
    this.size = options.size ?? null;
  }

  get mirrors(): number {
    return this.#source.urls.length;
  }

  /** Puts the address in use behind the others. */
  nextMirror(): void {
    this.#prefer(this.#source.urls[1]);
  }

  /**
   * Opens the file; requests fresh addresses once when the present ones are refused. The response may begin before
   * `start` (a server without ranges), never after it.
   * @throws Failure `media_unavailable`, `range_unsatisfiable`, … or the signal's reason
   */
  async open(start: number, end: number | null, signal: AbortSignal): Promise<MediaFlow> {
    const generation = this.#generation;
    try {
      return await this.#openOnce(start, end, signal);
    } catch (error) {
      if (signal.aborted || !wasRefused(error)) throw error;
      // Readers side by side are refused at the same time and share one refresh.
      if (generation === this.#generation) {
        if (this.#options.refresh === undefined || generation > 0) throw error;
        this.#refreshing ??= this.#refresh(this.#options.refresh, signal);
        await this.#refreshing;
      }
      return this.#openOnce(start, end, signal);
    }
  }

  /** Opens the whole file without asking for a range. @throws as {@link open} */
  openWhole(signal: AbortSignal): Promise<MediaFlow> {
    return this.#openOnce(0, null, signal, true);
  }

  /**
   * Reopens the file at `position` after an interruption. The first attempt uses the same address, each further one the
   * next.
   * @throws Failure when no attempt can succeed, or the signal's reason
   */
  async resume(
    position: number,
    end: number | null,
    budget: ResumeBudget,
    cause: unknown,
    signal: AbortSignal,
  ): Promise<MediaFlow> {
    if (this.size === null) {
      throw new Failure('media_unavailable', { cause, note: 'broke off, and its size is unknown' });
    }
    if (position - budget.position >= progressBytes) budget.attempts = 0;
    budget.position = position;
    let last = cause;
    while (budget.attempts < attemptsWithoutProgress) {
      const attempt = budget.attempts;
      budget.attempts += 1;
      if (attempt > 0) {
        this.nextMirror();
        await delay(firstDelayMs * 2 ** (attempt - 1), undefined, { signal });
      }
      try {
        const response = await this.open(position, end, signal);
        budget.resumes += 1;
        this.resumes += 1;
        return response;
      } catch (error) {
        if (signal.aborted) throw error;
        last = error;
      }
    }
    throw new Failure('media_unavailable', { cause: last, note: `broke off at ${position} for good` });
  }

  async #openOnce(start: number, end: number | null, signal: AbortSignal, whole = false): Promise<MediaFlow> {
    const source = this.#source;
    const { network, isUnbounded = false } = this.#options;
    const response = await network.openMedia({ source, start, end, whole, isUnbounded, signal });
    this.#prefer(source.urls[response.mirror]);
    if (response.start > start || (this.size !== null && response.size !== this.size)) {
      response.stop();
      throw new Failure('media_unavailable', {
        note: `another file: ${response.size} bytes, not ${this.size}`,
      });
    }
    this.size = response.size;
    if (isMoreThan(response, start, whole ? null : end)) this.hasRanges = false;
    return response;
  }

  async #refresh(refresh: RefreshSource, signal: AbortSignal): Promise<void> {
    this.#source = await refresh(signal);
    this.#generation += 1;
  }

  /** Tries this address first from now on, and those after it next. */
  #prefer(url: string | undefined): void {
    const { urls } = this.#source;
    const at = url === undefined ? -1 : urls.indexOf(url);
    if (at > 0) this.#source = { ...this.#source, urls: [...urls.slice(at), ...urls.slice(0, at)] };
  }
}

/** Whether a response has more than the range that was asked for: its server ignores ranges. */
function isMoreThan(response: MediaFlow, start: number, end: number | null): boolean {
  if (response.start < start) return true;
  // Only a whole file comes without its length.
  return end !== null && response.start + (response.length ?? Number.POSITIVE_INFINITY) > end;
}

function wasRefused(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof MirrorsExhausted && error.cause.refused;
}
