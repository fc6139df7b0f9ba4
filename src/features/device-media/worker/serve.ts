import { type FromWorker, type Made, Refusal } from './messages.ts';

declare const self: DedicatedWorkerGlobalScope;

/** How a worker tells its page about its order. */
export interface Teller {
  /** @param fraction of the work that is done, from 0 to 1 */
  progress(fraction: number): void;
  proven(): void;
}

/** Lets this worker do its page's one order. What `make` throws is why there is no file. */
export function serve<Order>(make: (order: Order, tell: Teller) => Promise<Made>): void {
  const send = (message: FromWorker) => self.postMessage(message);
  const tell: Teller = {
    progress: (fraction) => send({ type: 'progress', fraction }),
    proven: () => send({ type: 'proven' }),
  };
  self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
    make(data, tell).then(
      (made) => send({ type: 'done', ...made }),
      (thrown: unknown) => {
        const reason = thrown instanceof Refusal ? thrown.reason : null;
        send({ type: 'failed', reason, note: String(thrown) });
      },
    );
  });
}
