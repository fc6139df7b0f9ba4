/** A file as whoever makes it promises it. */
export interface MadeFile {
  /** Bytes. */
  readonly length: number;
  /** Strong validator, quotes included. */
  readonly etag: string;
  /**
   * Can be read once; whatever is open for it is closed however the iteration ends.
   * @throws JobFailed, JobsUnavailable
   */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Keys of heavy jobs begin so, and no others: they take seconds of a machine, and need a program that not every one has. */
export const heavyKeys = 'mp4-slideshow-';

/** What is wanted, and for whom. */
export interface JobOrder {
  /** The same for the same file. Matches `[a-z0-9-]{1,200}`. */
  readonly key: string;
  /** Describes the work completely. */
  readonly work: string;
  /** A visitor has one running job; further ones wait, and visitors take turns. */
  readonly visitor: string;
}

/** The work was done elsewhere and failed there, for whoever asks. */
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

/** Nobody elsewhere does it, or the way there is broken: whoever asks does it. */
export class JobsUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'JobsUnavailable';
  }
}

/** How many jobs there are, on all instances together. */
interface JobCounts {
  readonly waiting: number;
  readonly active: number;
  /** How many could be active. */
  readonly places: number;
}

/** Takes jobs and makes their files. */
export interface JobWorker {
  /** Takes nothing more; resolves when nothing runs any more. */
  close(): Promise<void>;
}

export interface JobWorkerOptions {
  /** Jobs at once. */
  readonly atOnce: number;
  /** How many of them may be heavy ({@link heavyKeys}); 0, as when left out, where none can be made. */
  readonly heavyAtOnce?: number;
  /**
   * Does the work; told by the signal when nobody wants it any more.
   * @param made to be told, from 0 to 1, how far a file is made whose length is known only at the end
   * @throws JobFailed; with the key `stopping` somebody else does it instead
   */
  readonly make: (work: string, signal: AbortSignal, made: (fraction: number) => void) => Promise<MadeFile>;
}

/**
 * A queue of jobs that several instances share. One worker makes a file for everybody who ordered it, and they read it
 * while it grows. When a worker dies, another one takes its job; a job whose workers died several times is parked.
 */
export interface ConversionJobs {
  /**
   * Orders a file, waits for a worker, and resolves when the length of the file is known.
   * @param waits told how many jobs are ahead, whenever that changes; null when the job waits no more, and then how far
   * it is made, from 0 to 1
   * @throws JobFailed, JobsUnavailable, or the signal's reason
   */
  order(
    order: JobOrder,
    signal: AbortSignal,
    waits: (ahead: number | null, made: number) => void,
  ): Promise<MadeFile>;
  work(options: JobWorkerOptions): JobWorker;
  /** Null while nobody can say. */
  counts(): Promise<JobCounts | null>;
  /** Whether somebody makes heavy jobs; false while nobody can say. */
  canMakeHeavy(): Promise<boolean>;
}
