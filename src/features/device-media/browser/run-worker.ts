import type { BrowserOrder } from '../../../site/browser/downloads/browser-maker.ts';
import { startWorker } from '../../../site/browser/start-worker.ts';
import { policyName, workerPaths } from '../paths.ts';
import type { Reason } from '../video/video-plan.ts';
import type { FromWorker, Mp3Order, SlideshowOrder, VideoOrder } from '../worker/messages.ts';

interface Orders {
  readonly mp3: Mp3Order;
  readonly video: SlideshowOrder | VideoOrder;
}

const paths = Object.values(workerPaths);

/**
 * Has a worker do an order, and passes on what it says. It is ended however this ends.
 * @param silenceMs a worker that says nothing for so long has no line, or no processor
 * @returns the file, or why there is none; null for reasons that are the browser's own
 * @throws the signal's reason
 */
export async function runWorker<Name extends keyof Orders>(
  name: Name,
  order: Orders[Name],
  silenceMs: number,
  { signal, proven, progress, lacks }: BrowserOrder,
): Promise<File | Reason | null> {
  signal.throwIfAborted();
  const ending = Promise.withResolvers<Extract<FromWorker, { type: 'done' | 'failed' }>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fail = (note: string) => ending.resolve({ type: 'failed', reason: null, note });
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(fail, silenceMs, 'says nothing');
  };
  const onAbort = () => ending.reject(signal.reason);
  const worker = startWorker({ path: workerPaths[name], policyName, paths });
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    listen();
    if (data.type === 'progress') progress(data.fraction);
    else if (data.type === 'proven') proven();
    else ending.resolve(data);
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    fail(event.message);
  });
  signal.addEventListener('abort', onAbort);
  try {
    worker.postMessage(order);
    listen();
    const end = await ending.promise;
    if (end.type === 'done') {
      lacks(end.lacks ?? {});
      return end.file;
    }
    // For developers: the page says what a visitor can use.
    console.debug(`${name} on this device`, end.note);
    return end.reason;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    worker.terminate();
  }
}
