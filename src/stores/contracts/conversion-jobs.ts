/** A file as its maker announces it. */
export interface MadeFile {
  /** Bytes. */
  readonly length: number;
  /** Strong validator, quotes included. */
  readonly etag: string;
  /** Can be read once; all its resources are closed however the iteration ends. @throws JobFailed, JobsUnavailable */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Keys of heavy jobs begin so, and no others: they take seconds of a machine, and need a program that not every one has. */
export const heavyKeys = 'mp4-slideshow-';

/** The ordered file, and the visitor. */
export interface JobOrder {
  /** The same for the same file. Matches `[a-z0-9-]{1,200}`. */
  readonly key: string;
  /** Describes the work completely. */
  readonly work: string;
  /** A visitor has one running job; further ones wait, and visitors are served round-robin. */
  readonly visitor: string;
}

/** The job ran elsewhere and failed for every caller. */
export class JobFailed extends Error {
  /** Stable name of the failure. */
  readonly key: string;
  /** Seconds after which another try makes sense. */
  readonly retryAfterS: number | undefined;

  constructor(key: string, retryAfterS?: number) {
    super(key);
    this.name = 'JobFailed';
    this.key = key;
    this.retryAfterS = retryAfterS;
  }
}

/** No worker runs it, or none can be reached: the caller runs it itself. */
export class JobsUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'JobsUnavailable';
  }
}

/** Numbers of jobs, on all instances together. */
interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  /** The maximum number of active jobs. */
  readonly places: number;
}

/** Takes jobs and makes their files. */
export interface JobWorker {
  /** Takes no more jobs; resolves when none runs. */
  close(): Promise<void>;
}

export interface JobWorkerOptions {
  /** Jobs at once. */
  readonly atOnce: number;
  /** How many of them may be heavy ({@link heavyKeys}); 0, the default, when none can be made. */
  readonly heavyAtOnce?: number;
  /**
   * Runs a job; the signal aborts when its last order has left.
   * @param made must be called with the finished fraction, from 0 to 1, of a file whose length is known only at the end
   * @throws JobFailed; with the key `stopping` another worker runs it instead
   */
  readonly make: (work: string, signal: AbortSignal, made: (fraction: number) => void) => Promise<MadeFile>;
}

/**
 * A queue of jobs shared by several instances. One worker makes a file for all its orders, which read it while it
 * grows. When a worker dies, another takes its job; a job whose workers died several times is parked.
 */
export interface ConversionJobs {
  /**
   * Orders a file, waits for a worker, and resolves when the length of the file is known.
   * @param waits called with the number of jobs ahead whenever it changes; null once the job no longer waits, with its
   *   progress from 0 to 1
   * @throws JobFailed, JobsUnavailable, or the signal's reason
   */
  order(
    order: JobOrder,
    signal: AbortSignal,
    waits: (ahead: number | null, made: number) => void,
  ): Promise<MadeFile>;
  startWorker(options: JobWorkerOptions): JobWorker;
  /** Null while the queue is unreachable. */
  counts(): Promise<JobCounts | null>;
  /** Whether a worker makes heavy jobs; false while the queue is unreachable. */
  canMakeHeavy(): Promise<boolean>;
}
