import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { Failure } from '../../../../failures/failures.ts';
import { Pool } from '../../../async/pool.ts';
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
  readonly #file: URL;
  readonly #pool: Pool<PooledWorker>;
  #closed = false;

  constructor(file: URL, size: number) {
    this.#file = file;
    this.#pool = new Pool(size, () => this.#start());
  }

  /** Threads that exist now. */
  get alive(): number {
    return this.#pool.alive.size;
  }

  /** Threads that are borrowed now. */
  get busy(): number {
    return this.#pool.alive.size - this.#pool.idle.length;
  }

  /** Starts a first pair unless there is one; resolves when its codecs are loaded, or the pool was closed meanwhile. */
  async warm(): Promise<void> {
    if (this.alive === 0) this.#pool.add();
    try {
      await Promise.all([...this.#pool.alive].map(({ ready }) => ready));
    } catch (error) {
      if (!this.#closed) throw error;
    }
    // An idle thread must not keep the program running.
    for (const { worker } of this.#pool.idle) worker.unref();
  }

  /** Borrows a thread; waits for one while all are in use. @throws the signal's reason, Failure `stopping` */
  async acquire(signal: AbortSignal): Promise<PooledWorker> {
    const pooled = await this.#pool.take(signal);
    pooled.worker.ref();
    return pooled;
  }

  /** Gives a thread back for the next encoding. */
  release(pooled: PooledWorker): void {
    // An idle thread must not keep the program running.
    pooled.worker.unref();
    this.#pool.give(pooled);
  }

  /** Ends a thread whose state is unknown. */
  async discard(pooled: PooledWorker): Promise<void> {
    pooled.frames.close();
    await pooled.worker.terminate();
    this.#pool.forget(pooled);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#pool.alive].map((pooled) => this.discard(pooled)));
  }

  /** @throws Failure `stopping` */
  #start(): PooledWorker {
    if (this.#closed) throw new Failure('stopping');
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
    worker.once('exit', () => this.#pool.forget(pooled));
    return pooled;
  }
}
