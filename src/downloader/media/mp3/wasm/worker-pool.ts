import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { Failure } from '../../../../failures/failures.ts';
import { waitIn } from '../../../async/turns.ts';
import type { FromEncoder, WorkerStart } from './wasm-messages.ts';

/** A warm pair of threads, borrowed for one encoding at a time. */
export interface PooledWorker {
  /** The encoding thread; the decoding one is its own. */
  readonly worker: Worker;
  /** The port to the decoding thread. */
  readonly frames: MessagePort;
  /** Resolves when it has loaded its codecs, rejects when it could not. */
  readonly ready: Promise<void>;
}

/**
 * Threads that stay warm between encodings. A thread whose encoding failed is terminated, and the next encoding gets a
 * new one.
 */
export class WorkerPool {
  readonly #size: number;
  readonly #file: URL;
  readonly #idle: PooledWorker[] = [];
  readonly #alive = new Set<PooledWorker>();
  readonly #waiting = new Map<() => void, null>();
  #closed = false;

  constructor(file: URL, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Threads that exist now. */
  get alive(): number {
    return this.#alive.size;
  }

  /** Threads that are borrowed now. */
  get busy(): number {
    return this.#alive.size - this.#idle.length;
  }

  /** Starts a first pair unless there is one; resolves when its codecs are loaded, or the pool was closed meanwhile. */
  async warm(): Promise<void> {
    if (this.#alive.size === 0) this.#idle.push(this.#start());
    try {
      await Promise.all([...this.#alive].map(({ ready }) => ready));
    } catch (error) {
      if (!this.#closed) throw error;
    }
    // An idle thread must not keep the program running.
    for (const { worker } of this.#idle) worker.unref();
  }

  /** Borrows a thread; waits for one while all are in use. @throws the signal's reason, Failure `stopping` */
  async acquire(signal: AbortSignal): Promise<PooledWorker> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) throw new Failure('stopping');
      const pooled = this.#idle.pop() ?? (this.#alive.size < this.#size ? this.#start() : null);
      if (pooled !== null) {
        pooled.worker.ref();
        return pooled;
      }
      await waitIn(this.#waiting, null, signal);
    }
  }

  /** Gives a thread back for the next encoding. */
  release(pooled: PooledWorker): void {
    // An idle thread must not keep the program running.
    pooled.worker.unref();
    if (this.#alive.has(pooled)) this.#idle.push(pooled);
    this.#wakeNext();
  }

  /** Ends a thread whose state is unknown. */
  async discard(pooled: PooledWorker): Promise<void> {
    pooled.frames.close();
    await pooled.worker.terminate();
    this.#forget(pooled);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.keys()) wake();
    await Promise.all([...this.#alive].map((pooled) => this.discard(pooled)));
  }

  #start(): PooledWorker {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(this.#file, {
      workerData: { frames: port2 } satisfies WorkerStart,
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      env: {},
    });
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', (message: FromEncoder) => {
        if (message.type === 'ready') resolve();
        else reject(new Error(`worker began with '${message.type}'`));
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`worker ended with ${code}`)));
    });
    // The borrower awaits it; a thread that is discarded earlier has no borrower.
    ready.catch(() => undefined);
    const pooled = { worker, frames: port1, ready };
    this.#alive.add(pooled);
    worker.once('exit', () => this.#forget(pooled));
    return pooled;
  }

  #forget(pooled: PooledWorker): void {
    if (!this.#alive.delete(pooled)) return;
    const at = this.#idle.indexOf(pooled);
    if (at >= 0) this.#idle.splice(at, 1);
    this.#wakeNext();
  }

  #wakeNext(): void {
    const [wake] = this.#waiting.keys();
    wake?.();
  }
}
