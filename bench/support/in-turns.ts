/** Runs a task a number of times, some of them at once. @param task gets its number, from 0 */
export async function interleaved(
  count: number,
  atOnce: number,
  task: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await task(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
