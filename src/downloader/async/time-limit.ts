import { Failure } from '../../failures/failures.ts';

/**
 * Runs `work` for at most `limitMs`. The task's signal aborts when the time is over or the caller leaves. The result
 * does not wait for a task that ignores its signal.
 * @throws Failure `platform_timeout`, the caller's abort reason, or what `work` throws
 */
export function withTimeLimit<T>(
  limitMs: number,
  signal: AbortSignal,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const giveUp = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = () => giveUp(signal.reason);
    const timer = setTimeout(
      () => giveUp(new Failure('platform_timeout', { note: `no answer within ${limitMs} ms` })),
      limitMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    task(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      });
  });
}
