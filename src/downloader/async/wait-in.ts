/**
 * Waits in a line, the first to come first, until called.
 * @param line the calls of those who wait, and what is known of each
 * @throws the signal's reason; its place is given up then
 */
export function waitIn<Known>(
  line: Map<() => void, Known>,
  known: Known,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const call = () => {
    line.delete(call);
    signal.removeEventListener('abort', leave);
    resolve();
  };
  const leave = () => {
    line.delete(call);
    reject(signal.reason);
  };
  line.set(call, known);
  signal.addEventListener('abort', leave, { once: true });
  return promise;
}
