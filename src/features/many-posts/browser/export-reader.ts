import { startWorker } from '../../../site/browser/start-worker.ts';
import { policyName, workerPath } from '../paths.ts';
import type { Choice, FromWorker, ToWorker } from '../worker/messages.ts';

type Sections = Extract<FromWorker, { type: 'sections' | 'failed' }>;
type Chosen = Extract<FromWorker, { type: 'chosen' | 'failed' }>;

/** Reads an export in a worker, which keeps its posts. */
export class ExportReader {
  readonly #worker = startWorker({ path: workerPath, policyName });
  /** It answers in the order in which it was asked. */
  readonly #waiting: ((answer: FromWorker) => void)[] = [];

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) =>
      this.#waiting.shift()?.(data),
    );
    // It had no memory left, or could not be loaded.
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault();
      for (const answer of this.#waiting.splice(0)) answer({ type: 'failed', reason: 'broken' });
    });
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(message);
    });
  }

  read(given: readonly (Blob | string)[]): Promise<Sections> {
    return this.#ask({ type: 'read', given }) as Promise<Sections>;
  }

  choose(choice: Choice): Promise<Chosen> {
    return this.#ask({ type: 'choose', ...choice }) as Promise<Chosen>;
  }

  close(): void {
    this.#worker.terminate();
  }
}
