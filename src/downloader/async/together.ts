/** Waits for both; when one fails, the other is stopped. @throws what the first one to fail throws */
export async function together<A, B>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => [A | Promise<A>, B | Promise<B>],
): Promise<[A, B]> {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([signal, failed.signal])));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}
